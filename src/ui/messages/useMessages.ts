import { useEffect } from 'preact/hooks'
import type { WalletError } from '../../errors.ts'
import { logError } from '../errorLog.ts'
import { useQuery } from '../hooks/useQuery.ts'

type Words = typeof import('./errors.ts')

let words: Words | undefined

/** Fetches the sentences of errors. They are many, and nobody needs one for the first screen. */
async function loadWords(): Promise<void> {
  words ??= await import('./errors.ts')
}

/** Whatever goes wrong after the first touch, its words are there at once. */
export function preloadMessages(): void {
  const load = () => void loadWords().catch(() => undefined)
  for (const touch of ['pointerdown', 'keydown']) addEventListener(touch, load, { once: true })
}

/** Drawn again when the sentences are here. Where they do not come, errors speak for themselves. */
function useWords(isNeeded: boolean): Words | undefined {
  useQuery(() => (isNeeded && words === undefined ? loadWords() : undefined), [isNeeded])
  return words
}

/** What happened, what to do next, and the details. */
export function useErrorMessage(error: WalletError): ReturnType<Words['formatError']> {
  const words = useWords(true)
  useEffect(() => logError(error), [error])
  return words?.formatError(error) ?? { what: error.message, next: '', details: error.code }
}

/** The same in one line, for below a field. */
export function useMessage(error: WalletError | undefined): string | undefined {
  const words = useWords(error !== undefined)
  return error && (words?.formatErrorSentence(error) ?? error.message)
}
