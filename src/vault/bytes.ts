import { bytesToHex, hexToBytes } from '@noble/curves/abstract/utils'

export type Hex = `0x${string}`

/** Bytes over a buffer of their own, as WebCrypto wants them. */
export type Bytes = Uint8Array<ArrayBuffer>

/** The one source of randomness: keys, salts, initialisation vectors, ids. */
export function randomBytes(length: number): Bytes {
  return crypto.getRandomValues(new Uint8Array(length))
}

export function toHex(bytes: Uint8Array): Hex {
  return `0x${bytesToHex(bytes)}`
}

/** The bytes of whole hex; every caller has parsed it before. */
export function fromHex(hex: Hex): Bytes {
  return hexToBytes(hex.slice(2)) as Bytes
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

/** Throws a DOMException on text that is not base64. */
export function fromBase64(text: string): Bytes {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
}

export async function sha256(text: string): Promise<Hex> {
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))))
}
