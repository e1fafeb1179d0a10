import { HARDENED_OFFSET, HDKey } from '@scure/bip32'
import { entropyToMnemonic, mnemonicToEntropy, mnemonicToSeed } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english'
import { privateKeyToAddress } from 'viem/accounts'
import { WalletError } from '../errors.ts'
import { type Bytes, type Hex, toHex } from './bytes.ts'
import { splitPhrase, unknownWords } from './words.ts'

/** BIP-44 for Ether (SLIP-44 coin 60): the first account's address with this index, counted from zero. */
export function accountPath(index: number): string {
  return `m/44'/60'/0'/0/${index}`
}

/** The BIP-39 phrase of 16 bytes (12 words) to 32 bytes (24 words). */
export function phraseOf(entropy: Uint8Array): string {
  return entropyToMnemonic(entropy, wordlist)
}

/**
 * The entropy behind a phrase as typed or pasted. Throws a WalletError `invalid-input` that says what is wrong: how many words
 * there are (fact `words`), or the position of the first unknown one counted from one (fact `word`). Never the words themselves.
 */
export function entropyOf(phrase: string): Bytes {
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
  try {
    return new Uint8Array(mnemonicToEntropy(words.join(' '), wordlist))
  } catch {
    // The library's own message may name a word, so it is not passed on.
    throw new WalletError(
      'invalid-input',
      'These words do not belong together: one is wrong, or two changed places. The phrase’s checksum fails.',
    )
  }
}

/** The 64-byte seed of BIP-39. We use no passphrase; published vectors do. */
export async function seedOf(entropy: Uint8Array, passphrase = ''): Promise<Bytes> {
  return new Uint8Array(await mnemonicToSeed(phraseOf(entropy), passphrase))
}

/** The private key (32 bytes) at a BIP-32 path such as "m/44'/60'/0'/0/0". The caller fills it with zero after use. */
export function privateKeyAt(seed: Uint8Array, path: string): Bytes {
  let node = HDKey.fromMasterSeed(seed)
  for (const index of indexesOf(path)) {
    const child = node.deriveChild(index)
    node.wipePrivateData()
    node = child
  }
  const found = node.privateKey
  if (found === null) throw new WalletError('internal', `There is no private key at ${path}.`)
  const key = new Uint8Array(found)
  found.fill(0)
  node.wipePrivateData()
  return key
}

/** The lower-case address that a private key controls. */
export function addressOf(privateKey: Uint8Array): Hex {
  return privateKeyToAddress(toHex(privateKey)).toLowerCase() as Hex
}

function indexesOf(path: string): number[] {
  const [, ...steps] = path.split('/')
  return steps.map((step) =>
    step.endsWith("'") ? Number(step.slice(0, -1)) + HARDENED_OFFSET : Number(step),
  )
}
