import type { SignedField } from './signedFields.ts'
import { leafFields } from './signedFields.ts'

export const digestBytes = 32

/** True for 32 bytes, or their hex. */
export function isDigestText(text: string): boolean {
  return /^(0x)?[0-9a-f]{64}$/i.test(text.trim()) || new TextEncoder().encode(text).length === digestBytes
}

/** True for digests and packed bytes alone, such as a Merkle root of orders. */
export function hasOnlyDigests(fields: SignedField[]): boolean {
  const leaves = leafFields(fields)
  const [only] = leaves
  if (leaves.length === 1 && only?.type === 'string') return isDigestText(only.value)
  // May be a digest.
  if (leaves.length === 1 && only?.type.includes('int')) return BigInt(only.value) >= 2n ** 160n
  return leaves.length > 0 && leaves.every(({ type }) => type.startsWith('bytes'))
}
