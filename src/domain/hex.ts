import { bytesToHex, hexToBytes } from '@noble/curves/abstract/utils'
import type { Hex } from './token/token.ts'

export function randomBytes(length: number): Hex {
  return toHex(crypto.getRandomValues(new Uint8Array(length)))
}

// The worker loads @noble/curves anyway; @noble/hashes would duplicate its helpers.

export function toHex(bytes: Uint8Array): Hex {
  return `0x${bytesToHex(bytes)}`
}

/** Throws an Error unless `hex` is whole bytes. */
export function fromHex(hex: Hex): Uint8Array {
  return hexToBytes(hex.slice(2))
}

export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** Decodes UTF-8; invalid bytes become U+FFFD. */
export function toText(hex: Hex): string {
  return new TextDecoder().decode(fromHex(hex))
}

export function byteLength(hex: Hex): number {
  return (hex.length - 2) / 2
}

export function concat(parts: readonly Hex[]): Hex {
  return `0x${parts.map((part) => part.slice(2)).join('')}`
}

/** Concatenates 32-byte words, each from 0 to 2^256 - 1. */
export function toChunks(values: readonly (Hex | bigint | number)[]): Hex {
  return `0x${values.map(padWord).join('')}`
}

/** Returns 32 bytes without 0x. */
export function padWord(value: Hex | bigint | number): string {
  return BigInt(value).toString(16).padStart(64, '0')
}
