import type { SignedField } from './signedFields.ts'
import { leafFields } from './signedFields.ts'

export const digestBytes = 32

/** True for 32 bytes, and for a text that spells 32 or more in hex or digits, or 32 in base64 or base58. */
export function isDigestText(text: string): boolean {
  const words = text
    .replace(/\p{DI}/gu, '')
    .trim()
    .split(/\s+/)
  return (
    /^[\da-f]{64,}$/i.test(text.replace(/0x|[^\p{L}\p{N}]/giu, '')) ||
    (words.length === 1 && /^[\w+/-]{43,45}=?$/.test(words[0] ?? '')) ||
    new TextEncoder().encode(text).length === digestBytes
  )
}

/** Smaller numbers are times or counters, unless listed. */
const minPacked = 2n ** 48n
/** Bits. */
const minDigest = 160

/** True for digests and packed bytes alone, such as a Merkle root of orders, also in parts. */
export function hasOnlyDigests(fields: SignedField[]): boolean {
  const leaves = leafFields(fields)
  const isPacked = leaves.every(({ type, value, isListed }) => {
    if (type === 'string') return isDigestText(value)
    return (
      type.startsWith('bytes') ||
      (isInteger(type) && (isListed || BigInt.asUintN(256, BigInt(value)) >= minPacked))
    )
  })
  const numbers = leaves.filter(({ type }) => isInteger(type))
  const bits = numbers.reduce((sum, { type, value, isListed }) => sum + bitsOf(isListed ? type : value), 0)
  return leaves.length > 0 && isPacked && (numbers.length < leaves.length || bits >= minDigest)
}

function isInteger(type: string): boolean {
  return /^u?int/.test(type)
}

/** Bits of a type such as `uint8`, or of a value. */
function bitsOf(number: string): number {
  const [size] = /(?<=int)\d+/.exec(number) ?? []
  return size === undefined ? BigInt(number).toString(2).length : Number(size)
}
