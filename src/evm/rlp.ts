import { concatBytes } from '@noble/curves/abstract/utils'
import { fromHex, toHex } from '../domain/hex.ts'
import type { Hex } from '../domain/token/token.ts'

export type Rlp = Hex | Rlp[]

export function encodeRlp(item: Rlp): Hex {
  return toHex(write(item))
}

/** Throws if not canonical (yellow paper, appendix B). */
export function decodeRlp(hex: Hex): Rlp {
  const item = read({ bytes: fromHex(hex), at: 0 }, 0)
  if (encodeRlp(item) !== hex.toLowerCase()) throw new Error('Not how RLP is written')
  return item
}

/** Encodes without leading zeros; zero is empty. */
export function integer(value: number | bigint): Hex {
  const digits = value.toString(16)
  return BigInt(value) === 0n ? '0x' : `0x${digits.padStart(digits.length + (digits.length % 2), '0')}`
}

const prefix = { bytes: 0x80, list: 0xc0 }
const mostShort = 55
const mostDepth = 32

function write(item: Rlp): Uint8Array {
  if (typeof item !== 'string') return prefixed(prefix.list, concatBytes(...item.map(write)))
  const bytes = fromHex(item)
  const [first = prefix.bytes] = bytes
  return bytes.length === 1 && first < prefix.bytes ? bytes : prefixed(prefix.bytes, bytes)
}

function prefixed(base: number, bytes: Uint8Array): Uint8Array {
  const { length } = bytes
  if (length <= mostShort) return concatBytes(Uint8Array.of(base + length), bytes)
  const size = fromHex(integer(length))
  return concatBytes(Uint8Array.of(base + mostShort + size.length), size, bytes)
}

type Source = { bytes: Uint8Array; at: number }

function read(source: Source, depth: number): Rlp {
  if (depth > mostDepth) throw new Error('Nested too deeply')
  const [first = 0] = take(source, 1)
  if (first < prefix.bytes) return toHex(Uint8Array.of(first))
  const isList = first >= prefix.list
  const short = first - (isList ? prefix.list : prefix.bytes)
  const size = short <= mostShort ? short : Number(toHex(take(source, short - mostShort)))
  if (!isList) return toHex(take(source, size))
  const end = source.at + size
  const items: Rlp[] = []
  while (source.at < end) items.push(read(source, depth + 1))
  return items
}

function take(source: Source, size: number): Uint8Array {
  const end = source.at + size
  if (end > source.bytes.length) throw new Error('The data is too short')
  const bytes = source.bytes.subarray(source.at, end)
  source.at = end
  return bytes
}
