import { secp256k1 } from '@noble/curves/secp256k1'
import { keccak256 } from 'viem/utils'
import type { Address, Hex } from '../domain/token.ts'

/** Whose signature of `digest` this is; undefined when it is nobody's. `signature` is r, s and v: 65 bytes of hex. */
export function recover(digest: Hex, signature: Hex): Address | undefined {
  const v = Number(`0x${signature.slice(130)}`)
  const parity = v < 27 ? v : v - 27
  if (signature.length !== 132 || parity > 1) return undefined
  try {
    // Not viem's own recovery: it imports the curve a second time, whole (3 kB).
    const parsed = secp256k1.Signature.fromCompact(signature.slice(2, 130)).addRecoveryBit(parity)
    const publicKey = parsed.recoverPublicKey(digest.slice(2)).toHex(false)
    return `0x${keccak256(`0x${publicKey.slice(2)}`).slice(-40)}`
  } catch {
    return undefined
  }
}
