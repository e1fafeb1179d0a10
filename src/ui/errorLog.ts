import type { ErrorCode, WalletError } from '../errors.ts'
import { tryOrUndefined } from '../state/attempt.ts'

/** An error that was shown: its code and its time, in milliseconds since 1970, never what it was about. */
export type LoggedError = { code: ErrorCode; at: number }

const most = 20
const key = 'faults'
const ownMemory = (): Storage => localStorage
const noted = new WeakSet<WalletError>()

/** Remembers that an error was shown, for the diagnostics of every view. */
export function logError(error: WalletError, memory = ownMemory): void {
  if (noted.has(error)) return
  noted.add(error)
  const faults = [...readErrorLog(memory), { code: error.code, at: Date.now() }].slice(-most)
  tryOrUndefined(() => memory().setItem(key, JSON.stringify(faults)))
}

/** For who begins anew. */
export function clearErrorLog(memory = ownMemory): void {
  tryOrUndefined(() => memory().removeItem(key))
}

/** The newest last. What cannot be read counts as none. */
export function readErrorLog(memory = ownMemory): LoggedError[] {
  const stored = tryOrUndefined<unknown>(() => JSON.parse(memory().getItem(key) ?? '[]'))
  return Array.isArray(stored) ? stored.filter(isFault) : []
}

/** What it says came from storage: a code is letters and hyphens. */
function isFault(value: Partial<LoggedError> | null): value is LoggedError {
  return typeof value?.at === 'number' && /^[a-z-]{1,40}$/.test(value.code ?? '')
}
