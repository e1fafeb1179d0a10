import { secp256k1 } from '@noble/curves/secp256k1'
import { keccak256 } from 'viem'
import type { Address, Hex } from '../token/token.ts'
import { toWords } from '../words.ts'

export type Signature = { r: bigint; s: bigint; yParity: number }

/**
 * Signs deterministically (RFC 6979) with low `s` (EIP-2). Throws for an invalid key, without exposing it.
 */
export function sign(digest: Hex, privateKey: Hex): Signature {
  const { r, s, recovery } = secp256k1.sign(digest.slice(2), privateKey.slice(2), { lowS: true })
  return { r, s, yParity: recovery }
}

/** Encodes r, s and v (27 or 28) in 65 bytes. */
export function toSignatureHex({ r, s, yParity }: Signature): Hex {
  return `${toWords([r, s])}${(27 + yParity).toString(16)}`
}

/** Recovers the signer from 65 bytes of r, s and v; undefined when invalid. */
export function recover(digest: Hex, signature: Hex): Address | undefined {
  const v = Number(`0x${signature.slice(130)}`)
  const parity = v < 27 ? v : v - 27
  if (signature.length !== 132 || parity > 1) return undefined
  try {
    const parsed = secp256k1.Signature.fromCompact(signature.slice(2, 130)).addRecoveryBit(parity)
    const publicKey = parsed.recoverPublicKey(digest.slice(2)).toRawBytes(false)
    return `0x${keccak256(publicKey.subarray(1)).slice(-40)}`
  } catch {
    return undefined
  }
}
