import type { Hex } from 'viem'

/** A list of 32-bit words that grows while it is written. */
export type WordWriter = { words: Uint32Array; length: number }

/** A position in words. */
export type WordReader = { words: Uint32Array; at: number }

export function createWordWriter(): WordWriter {
  return { words: new Uint32Array(1_024), length: 0 }
}

export function writeWord(out: WordWriter, word: number): void {
  if (out.length === out.words.length) {
    const larger = new Uint32Array(out.words.length * 2)
    larger.set(out.words)
    out.words = larger
  }
  out.words[out.length++] = word
}

export function readWord(from: WordReader): number {
  const word = from.words[from.at++]
  if (word === undefined) throw new RangeError('The record ends too early.')
  return word
}

/** Signed integer: twice the number of words plus one if negative, then the words, lowest first. */
export function writeInteger(out: WordWriter, value: bigint): void {
  const at = out.length
  writeWord(out, 0)
  const count = writeMagnitude(out, value)
  out.words[at] = count * 2 + (value < 0n ? 1 : 0)
}

/** Throws a RangeError on more than 256 bits or beyond the end. */
export function readInteger(from: WordReader): bigint {
  const head = readWord(from)
  const magnitude = readMagnitude(from, head >>> 1)
  return head & 1 ? -magnitude : magnitude
}

/** Writes |value| and returns the number of words. */
export function writeMagnitude(out: WordWriter, value: bigint): number {
  const start = out.length
  for (let left = value < 0n ? -value : value; left > 0n; left >>= 64n) {
    pair64[0] = left
    writeWord(out, pair32[0] as number)
    if (left > 0xffff_ffffn) writeWord(out, pair32[1] as number)
  }
  return out.length - start
}

export function readMagnitude(from: WordReader, count: number): bigint {
  if (!(count <= maxWords && from.at + count <= from.words.length)) {
    throw new RangeError('The integer is longer than its record.')
  }
  let value = 0n
  for (let i = count - 1 - ((count - 1) & 1); i >= 0; i -= 2) {
    pair32[0] = from.words[from.at + i] as number
    pair32[1] = i + 1 < count ? (from.words[from.at + i + 1] as number) : 0
    value = value === 0n ? (pair64[0] as bigint) : (value << 64n) | (pair64[0] as bigint)
  }
  from.at += count
  return value
}

/** 256 bits. */
const maxWords = 8

const pair64 = new BigUint64Array(1)
const pair32 = new Uint32Array(pair64.buffer)

/** Hex of `count` words without a prefix of its own length: addresses have 5 words, hashes 8. */
export function writeHex(out: WordWriter, hex: Hex, count: number): void {
  for (let i = 0; i < count; i++) writeWord(out, Number.parseInt(hex.slice(2 + i * 8, 10 + i * 8), 16))
}

export function readHex(from: WordReader, count: number): Hex {
  for (let i = 0; i < count; i++) hexBytes.writeUInt32BE(readWord(from), i * 4)
  return `0x${hexBytes.toString('hex', 0, count * 4)}`
}

const hexBytes = Buffer.alloc(32)

export const addressWords = 5
export const hashWords = 8

export function writeIntegers(out: WordWriter, values: readonly bigint[]): void {
  writeWord(out, values.length)
  for (const value of values) writeInteger(out, value)
}

export function readIntegers(from: WordReader): bigint[] {
  return readList(readWord(from), from, () => readInteger(from))
}

/** Throws on a count that the words cannot hold: files are untrusted. */
export function readList<Member>(count: number, { words, at }: WordReader, read: () => Member): Member[] {
  if (count > words.length - at) throw new RangeError('The list is longer than its record.')
  const members: Member[] = []
  for (let i = 0; i < count; i++) members.push(read())
  return members
}
