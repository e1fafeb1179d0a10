import { wordlist } from '@scure/bip39/wordlists/english'
import { WalletError } from '../../errors.ts'
import { type Bytes, fromHex, type Hex, randomBytes, toHex } from '../bytes.ts'
import type { Secret } from '../storage/records.ts'
import { readLabelled, readLettered, readNumbered, wordsIn } from './phraseLists.ts'
import { stripInvisible } from './stripInvisible.ts'

// BIP-39, in the page only.

export async function newSecret(words: 12 | 24, draw = randomBytes): Promise<Secret> {
  return secretFrom(draw(words === 12 ? 16 : 32))
}

/** Throws like `parsePhrase`. */
export async function readPhrase(phrase: string): Promise<Secret> {
  return secretFrom(await parsePhrase(phrase))
}

export async function showPhrase(entropy: Hex): Promise<string> {
  const bytes = fromHex(entropy)
  const phrase = await toPhrase(bytes)
  bytes.fill(0)
  return phrase
}

export async function toPhrase(entropy: Bytes): Promise<string> {
  const bits = getBits(entropy) + (await getChecksum(entropy))
  return (bits.match(/.{11}/g) ?? []).map((word) => wordlist[Number.parseInt(word, 2)]).join(' ')
}

/**
 * Throws `invalid-input` with the count (`words`), the 1-based position of an unknown word (`word`) or `why`:
 * `checksum`; never the words.
 */
export async function parsePhrase(phrase: string): Promise<Bytes> {
  const words = splitPhrase(phrase)
  if (![12, 15, 18, 21, 24].includes(words.length)) {
    const count = String(words.length)
    throw new WalletError(
      'invalid-input',
      `A recovery phrase has 12, 15, 18, 21 or 24 words; this one has ${count}.`,
      { words: count },
    )
  }
  const [unknown] = unknownWords(words)
  if (unknown !== undefined) {
    const word = String(unknown + 1)
    throw new WalletError('invalid-input', `Word ${word} is not in the list of recovery words.`, { word })
  }
  const bits = words.map((word) => wordlist.indexOf(word).toString(2).padStart(11, '0')).join('')
  const length = (bits.length / 33) * 32
  const bytes = bits.slice(0, length).match(/.{8}/g) ?? []
  const entropy = Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2))
  if (bits.slice(length) !== (await getChecksum(entropy))) {
    throw new WalletError(
      'invalid-input',
      'These words do not belong together: one is wrong, or two changed places. The phrase’s checksum fails.',
      { why: 'checksum' },
    )
  }
  return entropy
}

/** Derives the seed. The wallet uses no passphrase; test vectors do. */
export async function deriveSeed(entropy: Bytes, passphrase = ''): Promise<Bytes> {
  const text = (characters: string) => new TextEncoder().encode(characters.normalize('NFKD'))
  const password = text(await toPhrase(entropy))
  const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits'])
  password.fill(0)
  const salt = text(`mnemonic${passphrase}`)
  const rounds = { name: 'PBKDF2', hash: 'SHA-512', salt, iterations: 2048 }
  return new Uint8Array(await crypto.subtle.deriveBits(rounds, key, 512))
}

/** Returns 0-based positions. */
export function unknownWords(words: string[]): number[] {
  return words.flatMap((word, index) => (wordlist.includes(word) ? [] : [index]))
}

export function suggestWords(prefix: string, most = 4): string[] {
  const [start] = splitPhrase(prefix)
  return start === undefined ? [] : wordlist.filter((word) => word.startsWith(start)).slice(0, most)
}

/**
 * Splits a phrase. Drops numbers, punctuation, repeated labels ("Seed word #1: …"), ordinals and a heading.
 */
export function splitPhrase(text: string): string[] {
  // NFKD would make these letters.
  const plain = stripInvisible(text.replace(/[№ºª]/g, ' ').normalize('NFKD')).toLowerCase()
  const rest = plain.replace(/^[^\n:]{1,80}[:\n]/, '')
  const listed = readNumbered(plain) ?? readNumbered(rest)
  if (listed !== undefined) return listed
  const words = wordsIn(plain)
  const readings = [
    words,
    readLettered(words),
    readLabelled(plain),
    wordsIn(rest),
    readLettered(wordsIn(rest)),
  ]
  return readings.find((reading) => reading !== undefined && isWhole(reading)) ?? words
}

function isWhole(words: string[]): boolean {
  return [12, 15, 18, 21, 24].includes(words.length) && unknownWords(words).length === 0
}

/** Zeroes `entropy`. */
async function secretFrom(entropy: Bytes): Promise<Secret> {
  const seed = await deriveSeed(entropy)
  const secret = { entropy: toHex(entropy), seed: toHex(seed) }
  entropy.fill(0)
  seed.fill(0)
  return secret
}

async function getChecksum(entropy: Bytes): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', entropy))
  return getBits(digest).slice(0, entropy.length / 4)
}

function getBits(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
}
