import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'
import { dictionary as english } from '@zxcvbn-ts/language-en'
import { gzip } from './gzip.ts'

/** A password for a vault has so many characters at the least (src/vault/strength.ts). */
const longEnough = 10

/** What src/vault/strength.ts judges passwords by: as scripts it would be a third of the extension. */
export async function packPasswords(): Promise<Buffer> {
  const common = commonPasswords()
  return gzip({ common: shorten(common), long: shorten(longWords(common)), keyboards: adjacencyGraphs })
}

/**
 * The 14,000 commonest, and all that are long enough by themselves. Behind the first thousand, numbers and what has five letters at the
 * most are left out: they are guessed about as soon letter by letter.
 */
function commonPasswords(): string[] {
  const common = dictionary['passwords-common'] as string[]
  const isWorthIt = (word: string) => word.length > 5 && !/^\d+$/.test(word)
  return byPowersOfTwo(
    common.filter((word, at) => word.length >= longEnough || at < 1_000 || (at < 14_000 && isWorthIt(word))),
  )
}

/**
 * English words that are long enough to be a password alone, by the alphabet: the commonest of all kinds, of the others things and names.
 * Of these those are left out that only add up to three letters to a word that is there: alone they are refused with it.
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

/** Nobody's favourite word ends like this. */
const isDerived = /(ing|ly|ed|able|ible|ous|ness|ic|al|ive|less|ful)s?$/

function byLength(words: string[]): string[] {
  return words.toSorted((one, other) => one.length - other.length)
}

/**
 * The words of rank 1, of 2 and 3, of 4 to 7, of 8 to 15 and so on, each of these by their letters: a word's guesses become less than
 * twice as many or as few, and zxcvbn judges by powers of ten.
 */
function byPowersOfTwo(words: string[]): string[] {
  const powers = Array.from({ length: Math.ceil(Math.log2(words.length + 1)) }, (_, power) => 2 ** power)
  return powers.flatMap((rank) => words.slice(rank - 1, rank * 2 - 1).sort())
}

/**
 * Each word begins with a capital letter, of which they have none: how many characters it has from the word before (A: none, B: one).
 * Only those that follow are written.
 */
function shorten(words: string[]): string {
  const shortened = words.map((word, at) => {
    const shared = sharedStart(words[at - 1] ?? '', word)
    return String.fromCharCode(0x41 + shared) + word.slice(shared)
  })
  return shortened.join('')
}

/** No more than the alphabet can tell. */
function sharedStart(one: string, other: string): number {
  const longest = Math.min(one.length, other.length, 25)
  let count = 0
  while (count < longest && one[count] === other[count]) count += 1
  return count
}
