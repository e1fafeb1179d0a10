import type { SignedField } from './signedFields.ts'
import { leafFields } from './signedFields.ts'

/** Size of a digest in bytes. */
export const digestBytes = 32

/** True for a text that writes 32 bytes in hex, or that is 32 bytes long itself: whatever letters they spell, it may be a digest. */
export function isDigestText(text: string): boolean {
  return /^(0x)?[0-9a-f]{64}$/i.test(text.trim()) || new TextEncoder().encode(text).length === digestBytes
}

/** True when all that is signed are digests or packed bytes, such as a Merkle root of orders. */
export function hasOnlyDigests(fields: SignedField[]): boolean {
  const leaves = leafFields(fields)
  const [only] = leaves
  if (leaves.length === 1 && only?.type === 'string') return isDigestText(only.value)
  // A number that fills 32 bytes is a digest as well.
  if (leaves.length === 1 && only?.type.includes('int')) return BigInt(only.value) >= 2n ** 160n
  return leaves.length > 0 && leaves.every(({ type }) => type.startsWith('bytes'))
}
