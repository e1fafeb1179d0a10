/**
 * Returns the word at a position of hex without 0x. Like contracts, and unlike abiCoder.ts, these
 * functions let offsets point anywhere and bytes follow. They throw an Error beyond the end.
 */
export function readWord(hex: string, at: number): bigint {
  const word = hex.slice(at * 2, at * 2 + 64)
  if (word.length < 64) throw new Error('The data is too short')
  return BigInt(`0x${word}`)
}

/** Position that the offset at `at` points to, counted from `base`. */
export function readOffset(hex: string, at: number, base = 0): number {
  return base + readSize(hex, at)
}

/** Bytes of the dynamic value at `at`. */
export function readBytes(hex: string, at: number): string {
  const start = (at + 32) * 2
  return hex.slice(start, start + readSize(hex, at) * 2)
}

/** Positions of the dynamic items of the list at `at`. */
export function readItems(hex: string, at: number): number[] {
  const [count, base] = [readSize(hex, at), at + 32]
  if (count * 32 > hex.length / 2 - base) throw new Error('The data is too short')
  return Array.from({ length: count }, (_item, index) => readOffset(hex, base + index * 32, base))
}

/** A length or an offset, never more than there is data. */
export function readSize(hex: string, at: number): number {
  const size = readWord(hex, at)
  if (size > BigInt(hex.length / 2)) throw new Error('The data is too short')
  return Number(size)
}
