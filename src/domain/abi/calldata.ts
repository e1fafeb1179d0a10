import type { Address } from '../token/token.ts'

/**
 * Reads calldata as leniently as solc contracts. Throws an Error where such a contract reverts or reads
 * beyond the end.
 * @see https://docs.soliditylang.org/en/latest/abi-spec.html#strict-encoding-mode
 */
export function readWord(hex: string, at: number): bigint {
  const word = at < 0 ? '' : hex.slice(at * 2, at * 2 + 64)
  if (word.length < 64) throw new Error('The data is too short')
  return BigInt(`0x${word}`)
}

/** Returns the position that the offset at `at` points to, from `base`. */
export function readOffset(hex: string, at: number, base = 0): number {
  return base + readSize(hex, at)
}

export function readBytes(hex: string, at: number): string {
  const bytes = hex.slice((at + 32) * 2, (at + 32 + readSize(hex, at)) * 2)
  if (bytes.length / 2 < readSize(hex, at)) throw new Error('The data is too short')
  return bytes
}

/** Returns the positions of dynamic items. Offsets are two's complement: an item may precede its list. */
export function readItems(hex: string, at: number): number[] {
  const [count, base] = [readSize(hex, at), at + 32]
  requireWords(hex, base, count)
  return Array.from({ length: count }, (_item, index) => {
    const offset = Number(BigInt.asIntN(256, readWord(hex, base + index * 32)))
    // Earlier positions would read the selector.
    if (base + offset < 0 || base + offset > hex.length / 2) throw new Error('Nothing is there')
    return base + offset
  })
}

export function readStaticItems(hex: string, at: number, words: number): number[] {
  const count = readSize(hex, at)
  requireWords(hex, at + 32, count * words)
  return Array.from({ length: count }, (_item, index) => at + 32 + index * words * 32)
}

/** Reads a length or offset, bounded by the data. */
export function readSize(hex: string, at: number): number {
  const size = readWord(hex, at)
  if (size > BigInt(hex.length / 2)) throw new Error('The data is too short')
  return Number(size)
}

function requireWords(hex: string, at: number, count: number): void {
  if (count * 32 > hex.length / 2 - at) throw new Error('The data is too short')
}

/** Returns the address in a word, ignoring upper bytes. */
export function toAddress(word: bigint): Address {
  return `0x${(word & (2n ** 160n - 1n)).toString(16).padStart(40, '0')}`
}
