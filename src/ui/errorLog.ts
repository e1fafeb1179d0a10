import type { ErrorCode, WalletError } from '../errors.ts'
import { tryOrUndefined } from '../state/tryOrUndefined.ts'

/** Code and Unix time in milliseconds, never details. */
export type LoggedError = { code: ErrorCode; at: number }

const most = 20
const key = 'faults'
const ownMemory = (): Storage => localStorage
const noted = new WeakSet<WalletError>()

/** Records a shown error for the diagnostics. */
export function logError(error: WalletError, memory = ownMemory): void {
  if (noted.has(error)) return
  noted.add(error)
  const faults = [...readErrorLog(memory), { code: error.code, at: Date.now() }].slice(-most)
  tryOrUndefined(() => memory().setItem(key, JSON.stringify(faults)))
}

export function clearErrorLog(memory = ownMemory): void {
  tryOrUndefined(() => memory().removeItem(key))
}

/** Returns the errors, newest last. Unreadable entries are dropped. */
export function readErrorLog(memory = ownMemory): LoggedError[] {
  const stored = tryOrUndefined<unknown>(() => JSON.parse(memory().getItem(key) ?? '[]'))
  return Array.isArray(stored) ? stored.filter(isFault) : []
}

/** Storage is untrusted. */
function isFault(value: Partial<LoggedError> | null): value is LoggedError {
  return typeof value?.at === 'number' && /^[a-z-]{1,40}$/.test(value.code ?? '')
}
