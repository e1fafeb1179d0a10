import { bytesToHex, hexToBytes } from '@noble/curves/abstract/utils'
import type { Hex } from './token/token.ts'

// Bytes as they are written: `Hex` outside, and inside what they stand for. The curve's own helpers are in the worker anyway; those
// of @noble/hashes are the same once more.

export function toHex(bytes: Uint8Array): Hex {
  return `0x${bytesToHex(bytes)}`
}

/** Throws an Error unless `hex` is whole bytes, in either case. */
export function fromHex(hex: Hex): Uint8Array {
  return hexToBytes(hex.slice(2))
}

/** The bytes of a text. */
export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** The text in `hex`; what is not UTF-8 becomes U+FFFD. */
export function toText(hex: Hex): string {
  return new TextDecoder().decode(fromHex(hex))
}

/** How many bytes `hex` writes. */
export function byteLength(hex: Hex): number {
  return (hex.length - 2) / 2
}

export function concat(parts: readonly Hex[]): Hex {
  return `0x${parts.map((part) => part.slice(2)).join('')}`
}

/** Each value in 32 bytes, as contracts and their hashes have them. None is below zero or above 2^256 - 1. */
export function toChunks(values: readonly (Hex | bigint | number)[]): Hex {
  return `0x${values.map(padWord).join('')}`
}

/** One of `toChunks`, without the 0x. */
export function padWord(value: Hex | bigint | number): string {
  return BigInt(value).toString(16).padStart(64, '0')
}
