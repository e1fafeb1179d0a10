import { bytesToHex, hexToBytes } from '@noble/curves/abstract/utils'

export type Hex = `0x${string}`

export type Bytes = Uint8Array<ArrayBuffer>

/** Returns randomness; no other source is used. */
export function randomBytes(length: number): Bytes {
  return crypto.getRandomValues(new Uint8Array(length))
}

export function toHex(bytes: Uint8Array): Hex {
  return `0x${bytesToHex(bytes)}`
}

/** Decodes validated hex. */
export function fromHex(hex: Hex): Bytes {
  return hexToBytes(hex.slice(2)) as Bytes
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

/** Throws a DOMException. */
export function fromBase64(text: string): Bytes {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
}

export async function sha256(text: string): Promise<Hex> {
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))))
}
