import { sha256 as sha2 } from '@noble/hashes/sha2'
import { keccak_256 } from '@noble/hashes/sha3'
import { fromHex, toHex } from './hex.ts'
import type { Hex } from './token/token.ts'

/** Returns Keccak-256, which differs from the SHA-3 standard. */
export function keccak256(data: Hex | Uint8Array): Hex {
  return toHex(keccak_256(bytesOf(data)))
}

export function sha256(data: Hex | Uint8Array): Hex {
  return toHex(sha2(bytesOf(data)))
}

function bytesOf(data: Hex | Uint8Array): Uint8Array {
  return typeof data === 'string' ? fromHex(data) : data
}
