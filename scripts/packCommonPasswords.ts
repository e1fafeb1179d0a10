import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'
import { dictionary as english } from '@zxcvbn-ts/language-en'
import { gzip } from './gzip.ts'

/** Minimum password length of src/vault/words/strength.ts. */
const longEnough = 10

/** Data of src/vault/words/strength.ts; as scripts, a third of the extension. */
export async function packPasswords(): Promise<Buffer> {
  const common = commonPasswords()
  return gzip({ common: shorten(common), long: shorten(longWords(common)), keyboards: adjacencyGraphs })
}

/**
 * The 14,000 commonest and all long enough ones. After the first thousand, numbers and words up to five
 * letters are omitted: brute force is as fast.
 */
function commonPasswords(): string[] {
  const common = dictionary['passwords-common'] as string[]
  const isWorthIt = (word: string) => word.length > 5 && !/^\d+$/.test(word)
  return byPowersOfTwo(
    common.filter((word, at) => word.length >= longEnough || at < 1_000 || (at < 14_000 && isWorthIt(word))),
  )
}

/**
 * Returns English words of ten letters and more: the commonest, plus nouns. Omits nouns that add up to three
 * letters to a listed word, which are rejected with it.
 */
export function longWords(known: string[]): string[] {
  const there = new Set(known)
  const isCovered = (word: string) =>
    [1, 2, 3].some((count) => there.has(word.slice(0, -count)) || there.has(word.slice(count)))
  const { wikipedia, commonWords } = english
  const rare = [...wikipedia, ...commonWords].filter((word) => isLong(word) && !isDerived.test(word))
  for (const word of wikipedia.slice(0, 5_000)) if (isLong(word)) there.add(word)
  for (const word of commonWords.slice(0, 5_000)) if (isLong(word)) there.add(word)
  for (const word of byLength(rare)) if (!isCovered(word)) there.add(word)
  return [...there].slice(known.length).sort()
}

function isLong(word: string): boolean {
  return /^[a-z]{10,}$/.test(word)
}

/** Unlikely as passwords. */
const isDerived = /(ing|ly|ed|able|ible|ous|ness|ic|al|ive|less|ful)s?$/

function byLength(words: string[]): string[] {
  return words.toSorted((one, other) => one.length - other.length)
}

/**
 * Sorted within powers of two of the rank: changes the guesses less than twofold, while zxcvbn scores by
 * powers of ten.
 */
function byPowersOfTwo(words: string[]): string[] {
  const powers = Array.from({ length: Math.ceil(Math.log2(words.length + 1)) }, (_, power) => 2 ** power)
  return powers.flatMap((rank) => words.slice(rank - 1, rank * 2 - 1).sort())
}

/** Replaces the start shared with the previous word by a capital letter (A: none, B: one). */
function shorten(words: string[]): string {
  const shortened = words.map((word, at) => {
    const shared = sharedStart(words[at - 1] ?? '', word)
    return String.fromCharCode(0x41 + shared) + word.slice(shared)
  })
  return shortened.join('')
}

/** Limited by the alphabet. */
function sharedStart(one: string, other: string): number {
  const longest = Math.min(one.length, other.length, 25)
  let count = 0
  while (count < longest && one[count] === other[count]) count += 1
  return count
}
