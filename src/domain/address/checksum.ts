import { keccak256 } from '../hash.ts'
import type { Address } from '../token/token.ts'

/** The address with the capitals that are its checksum (EIP-55), as explorers and other wallets write it. */
export function toChecksumAddress(address: Address): string {
  const letters = address.slice(2).toLowerCase()
  const hash = keccak256(new TextEncoder().encode(letters)).slice(2)
  const signs = Array.from(letters, (letter, at) =>
    Number.parseInt(hash[at] ?? '0', 16) >= 8 ? letter.toUpperCase() : letter,
  )
  return `0x${signs.join('')}`
}

/** Whether the capitals of an address speak against it. One written in a single case has no checksum. */
export function hasBadChecksum(text: string): boolean {
  const letters = text.slice(2)
  if (letters === letters.toLowerCase() || letters === letters.toUpperCase()) return false
  return toChecksumAddress(`0x${letters}`).slice(2) !== letters
}
