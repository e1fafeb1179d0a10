import type { Address } from '../token/token.ts'

/**
 * Reads calldata as contracts compiled by solc do: offsets point anywhere, bytes may follow, and padding is
 * not checked. Throws an Error where such a contract reverts, or reads beyond the end.
 * @see https://docs.soliditylang.org/en/latest/abi-spec.html#strict-encoding-mode
 */
export function readWord(hex: string, at: number): bigint {
  const word = at < 0 ? '' : hex.slice(at * 2, at * 2 + 64)
  if (word.length < 64) throw new Error('The data is too short')
  return BigInt(`0x${word}`)
}

/**
 * Position that the offset at `at` points to, counted from `base`: of arguments, and of what is decoded to
 * memory.
 */
export function readOffset(hex: string, at: number, base = 0): number {
  return base + readSize(hex, at)
}

/** Bytes of the dynamic value at `at`. */
export function readBytes(hex: string, at: number): string {
  const bytes = hex.slice((at + 32) * 2, (at + 32 + readSize(hex, at)) * 2)
  if (bytes.length / 2 < readSize(hex, at)) throw new Error('The data is too short')
  return bytes
}

/**
 * Positions of the dynamic items of the list at `at` in calldata. Their offsets are two's complement: an item
 * may stand in front of its list.
 */
export function readItems(hex: string, at: number): number[] {
  const [count, base] = [readSize(hex, at), at + 32]
  requireWords(hex, base, count)
  return Array.from({ length: count }, (_item, index) => {
    const offset = Number(BigInt.asIntN(256, readWord(hex, base + index * 32)))
    // A position in front of the arguments would read the selector.
    if (base + offset < 0 || base + offset > hex.length / 2) throw new Error('Nothing is there')
    return base + offset
  })
}

/** Positions of the items of the list at `at`, of `words` words each. */
export function readStaticItems(hex: string, at: number, words: number): number[] {
  const count = readSize(hex, at)
  requireWords(hex, at + 32, count * words)
  return Array.from({ length: count }, (_item, index) => at + 32 + index * words * 32)
}

/** A length or an offset, never more than there is data. */
export function readSize(hex: string, at: number): number {
  const size = readWord(hex, at)
  if (size > BigInt(hex.length / 2)) throw new Error('The data is too short')
  return Number(size)
}

function requireWords(hex: string, at: number, count: number): void {
  if (count * 32 > hex.length / 2 - at) throw new Error('The data is too short')
}

/** The address in a word, whatever stands in front of it. */
export function toAddress(word: bigint): Address {
  return `0x${(word & (2n ** 160n - 1n)).toString(16).padStart(40, '0')}`
}
