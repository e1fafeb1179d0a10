import { plural } from '../../../i18n/translate.ts'

/** How many words a recovery phrase may have (BIP-39). */
export const lengths = [12, 15, 18, 21, 24]

/**
 * The cells after words were pasted into the one at `at`. A whole phrase is laid from the first cell on, unless it is the rest of a
 * longer one; the grid grows as it must. Undefined when they are too many.
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

/** The cells of a phrase of another length: what was typed stays where there is room for it. */
export function resizeWords(cells: string[], length: number): string[] {
  return Array.from({ length }, (_, index) => cells[index] ?? '')
}

/** True when a paste has to be taken apart: a word alone is typed into its cell as it is. */
export function isMultipleWords(text: string): boolean {
  return /\p{L}/u.test(text) && /[^\p{L}\p{M}]/u.test(text.trim())
}

/** Which of the words, by their places counted from zero, are in no phrase. */
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
