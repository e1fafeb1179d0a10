import { sha256 as sha2 } from '@noble/hashes/sha2'
import { keccak_256 } from '@noble/hashes/sha3'
import { fromHex, toHex } from './hex.ts'
import type { Hex } from './token/token.ts'

/** Ethereum's own hash: SHA-3 as it was before it became a standard. */
export function keccak256(data: Hex | Uint8Array): Hex {
  return toHex(keccak_256(bytesOf(data)))
}

export function sha256(data: Hex | Uint8Array): Hex {
  return toHex(sha2(bytesOf(data)))
}

function bytesOf(data: Hex | Uint8Array): Uint8Array {
  return typeof data === 'string' ? fromHex(data) : data
}
