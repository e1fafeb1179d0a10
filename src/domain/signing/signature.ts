import { secp256k1 } from '@noble/curves/secp256k1'
import { keccak256 } from '../hash.ts'
import { toChunks } from '../hex.ts'
import type { Address, Hex } from '../token/token.ts'

// Ethereum's signatures: ECDSA on secp256k1, with a bit that tells which of two keys it was.

export type Signature = { r: bigint; s: bigint; yParity: number }

/**
 * Signs a hash. The same hash and key give the same signature each time (RFC 6979), with the lower `s` of the two that would be
 * good (EIP-2). Throws an Error, which does not show it, for a key that is none.
 */
export function sign(digest: Hex, privateKey: Hex): Signature {
  const { r, s, recovery } = secp256k1.sign(digest.slice(2), privateKey.slice(2), { lowS: true })
  return { r, s, yParity: recovery }
}

/** r, s and v in 65 bytes of hex, v being 27 or 28: how messages' signatures are passed on. */
export function toSignatureHex({ r, s, yParity }: Signature): Hex {
  return `${toChunks([r, s])}${(27 + yParity).toString(16)}`
}

/** Whose signature of `digest` this is; undefined when it is nobody's. `signature` is r, s and v: 65 bytes of hex. */
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
