import { plural } from '../../../i18n/translate.ts'

/** Word counts of BIP-39. */
export const lengths = [12, 15, 18, 21, 24]

/**
 * Pastes words at cell `at`. A whole phrase starts at the first cell, unless it completes a longer one.
 * Undefined if too long.
 */
export function fillWords(cells: string[], at: number, pasted: string[]): string[] | undefined {
  const isRest = cells.slice(0, at).some((cell) => cell !== '') && at + pasted.length <= cells.length
  const isWhole = lengths.includes(pasted.length) && !isRest
  const start = isWhole ? 0 : at
  const needed = Math.max(start + pasted.length, isWhole ? 0 : cells.length)
  const length = lengths.find((one) => one >= needed)
  if (length === undefined) return undefined
  return Array.from({ length }, (_, index) => pasted[index - start] ?? cells[index] ?? '')
}

/** Keeps the words that fit. */
export function resizeWords(cells: string[], length: number): string[] {
  return Array.from({ length }, (_, index) => cells[index] ?? '')
}

/** True for a paste to distribute over cells. */
export function isMultipleWords(text: string): boolean {
  return /\p{L}/u.test(text) && /[^\p{L}\p{M}]/u.test(text.trim())
}

/** Formats the error for zero-based positions. */
export function formatWrongWords(wrong: number[]): string {
  if (wrong.length === 0) return ''
  const numbers = wrong.map((index) => index + 1).join(', ')
  return plural(
    wrong.length,
    'Word {numbers} isn’t in the word list. Check its spelling.',
    'Words {numbers} aren’t in the word list. Check their spelling.',
    {
      numbers,
    },
  )
}
