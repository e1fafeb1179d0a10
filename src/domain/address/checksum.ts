import { keccak256 } from '../hash.ts'
import type { Address } from '../token/token.ts'

/** Applies the EIP-55 checksum. */
export function toChecksumAddress(address: Address): string {
  const letters = address.slice(2).toLowerCase()
  const hash = keccak256(new TextEncoder().encode(letters)).slice(2)
  const signs = Array.from(letters, (letter, at) =>
    Number.parseInt(hash[at] ?? '0', 16) >= 8 ? letter.toUpperCase() : letter,
  )
  return `0x${signs.join('')}`
}

/** True if the capitals contradict EIP-55; single-case text has no checksum. */
export function hasBadChecksum(text: string): boolean {
  const letters = text.slice(2)
  if (letters === letters.toLowerCase() || letters === letters.toUpperCase()) return false
  return toChecksumAddress(`0x${letters}`).slice(2) !== letters
}
