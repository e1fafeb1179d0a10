import { useEffect } from 'preact/hooks'
import type { WalletError } from '../../errors.ts'
import { logError } from '../errorLog.ts'
import { useQuery } from '../hooks/data/useQuery.ts'

type Words = typeof import('./errors/errors.ts')

let words: Words | undefined

/** Not in the first chunk. */
async function loadWords(): Promise<void> {
  words ??= await import('./errors/errors.ts')
}

/** Loads the error messages on the first interaction. */
export function preloadMessages(): void {
  const load = () => void loadWords().catch(() => undefined)
  for (const touch of ['pointerdown', 'keydown']) addEventListener(touch, load, { once: true })
}

/** Shows `error.message` until loaded. */
function useWords(isNeeded: boolean): Words | undefined {
  useQuery(() => (isNeeded && words === undefined ? loadWords() : undefined), [isNeeded])
  return words
}

/** Returns an error's message and logs the error. */
export function useErrorMessage(error: WalletError): ReturnType<Words['formatError']> {
  const words = useWords(true)
  useEffect(() => logError(error), [error])
  return words?.formatError(error) ?? { what: error.message, next: '', details: error.code }
}

/** Returns message and advice in one line. */
export function useMessage(error: WalletError | undefined): string | undefined {
  const words = useWords(error !== undefined)
  return error && (words?.formatErrorSentence(error) ?? error.message)
}
