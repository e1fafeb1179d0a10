import { secp256k1 } from '@noble/curves/secp256k1'
import { WalletError } from '../errors.ts'
import { fromHex, type Hex } from './bytes.ts'
import { toAccountAddress } from './derive.ts'
import { stripInvisible } from './words/stripInvisible.ts'

/**
 * Parses 64 hex digits, possibly split or repeated. Ignores quotes, bullets, labels and invisible characters.
 * Throws `invalid-input` without the key.
 */
export function readPrivateKey(text: string): Hex {
  const whole = stripInvisible(text.normalize('NFKC')).trim()
  const alone = [...whole.matchAll(/(?<![\p{L}\p{N}])(?:0x)?([\da-f]{64})(?![\p{L}\p{N}])/giu)]
  const keys = new Set(alone.map(([, digits = '']) => digits.toLowerCase()))
  const plain = whole.replace(labels, '').trim()
  const joined = /^[^\p{L}\p{N}]*(?:0x)?((?:\s*[\da-f]){64})[^\p{L}\p{N}]*$/iu.exec(plain)?.[1]
  const [found = joined?.replace(/\s/g, '')] = keys
  const digits = (keys.size < 2 && found ? found : plain.replace(/^0x/i, '')).toLowerCase()
  if (!/^[0-9a-f]*$/.test(digits)) {
    throw new WalletError('invalid-input', 'A private key has the digits 0 to 9 and the letters a to f only.')
  }
  if (digits.length !== 64) {
    const count = String(digits.length)
    throw new WalletError('invalid-input', `A private key has 64 digits; this one has ${count}.`, {
      digits: count,
    })
  }
  // SEC 2.
  if (!secp256k1.utils.isValidPrivateKey(digits)) {
    throw new WalletError('invalid-input', 'No private key is zero, or as large as this number.')
  }
  return `0x${digits}`
}

/** "1. Private key: " */
const labels =
  /^(?:[^\p{L}\p{N}]*(?:\p{L}[\p{L}\p{N} _#.()-]{0,60}[:=]|#?\p{Nd}{1,3}(?:(?:st|nd|rd|th)\s|(?:st|nd|rd|th)?[.):\]-]))){1,4}/iu

export function privateKeyAddress(privateKey: Hex): Hex {
  const bytes = fromHex(privateKey)
  const address = toAccountAddress(bytes)
  bytes.fill(0)
  return address
}
