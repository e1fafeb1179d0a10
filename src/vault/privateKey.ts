import { secp256k1 } from '@noble/curves/secp256k1'
import { WalletError } from '../errors.ts'
import { fromHex, type Hex } from './bytes.ts'
import { toAccountAddress } from './derive.ts'
import { withoutUnseen } from './pasted.ts'

/**
 * The private key in `text`, as typed or pasted: 64 digits of hex, with or without 0x before them, on one
 * line or on several, once or several times. Quotes, bullets, labels and ordinals in front of it and invisible
 * characters are left out. Throws a WalletError `invalid-input` that says what is wrong, and never shows the key.
 */
export function readPrivateKey(text: string): Hex {
  const whole = withoutUnseen(text.normalize('NFKC')).trim()
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
  // SEC 2, secp256k1: 1 to n - 1.
  if (!secp256k1.utils.isValidPrivateKey(digits)) {
    throw new WalletError('invalid-input', 'No private key is zero, or as large as this number.')
  }
  return `0x${digits}`
}

/** Labels up to a colon or an equals sign, and ordinals, in front of a key: "1. Private key: ". */
const labels =
  /^(?:[^\p{L}\p{N}]*(?:\p{L}[\p{L}\p{N} _#.()-]{0,60}[:=]|#?\p{Nd}{1,3}(?:(?:st|nd|rd|th)\s|(?:st|nd|rd|th)?[.):\]-]))){1,4}/iu

/** The account that a private key is of. */
export function addressOfKey(privateKey: Hex): Hex {
  const bytes = fromHex(privateKey)
  const address = toAccountAddress(bytes)
  bytes.fill(0)
  return address
}
