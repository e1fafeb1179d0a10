import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'
import { gzip } from './gzip.ts'

/** Of the rarer ones those alone count that are long enough to lock a vault. */
const most = 2 ** 14
const longEnough = 10

/** What src/vault/strength.ts judges passwords by: as scripts it would be a third of the extension. */
export async function packPasswords(): Promise<Buffer> {
  const common = dictionary['passwords-common'] as string[]
  const words = shorten(byPowersOfTwo(common.filter((word, at) => at < most || word.length >= longEnough)))
  return gzip({ words, keyboards: adjacencyGraphs })
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
