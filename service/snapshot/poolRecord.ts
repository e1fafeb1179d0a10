import { type Address, type PoolKind, poolKinds } from '../config.ts'
import { markValid } from '../pools/math/ticks.ts'
import type { PoolInfo, PoolSnapshot } from '../pools/poolType.ts'
import { poolCodecs, readAddress, readTicks, writeAddress } from './poolCodecs.ts'
import { loadWord, type PoolTables, poolRow, tokenRow } from './poolTables.ts'
import { addressWords, readWord, type WordReader, type WordWriter, writeWord } from './wordCodec.ts'

/** Length, kind and number of tokens, offset of the source's name, address, token ids, parameters. */
export const infoRecord = { length: 0, head: 1, source: 2, address: 3, tokens: 3 + addressWords } as const

/** State: sequence number, unique per state; length; offset of the ticks or 0; the rest. */
export const stateRecord = { sequence: 0, length: 1, ticks: 2, rest: 3 } as const

/** Ticks: length, the rest. */
export const ticksRecord = { length: 0, rest: 1 } as const

export function writeInfo(
  out: WordWriter,
  listing: PoolInfo,
  tokens: readonly number[],
  source: number,
): void {
  out.length = 0
  writeWord(out, 0)
  writeWord(out, toHead(listing.kind, tokens.length))
  writeWord(out, source)
  writeAddress(out, listing.address)
  for (const token of tokens) writeWord(out, token)
  poolCodecs[listing.kind].writeFixed(out, listing.fixed)
  out.words[infoRecord.length] = out.length
}

/** A word with kind and number of tokens. Throws a RangeError if one has more bits than it may. */
export function toHead(kind: PoolKind, tokenCount: number): number {
  return headOf(poolKinds.indexOf(kind), tokenCount)
}

/** `kind` is an index of `poolKinds`. */
export function headOf(kind: number, tokenCount: number): number {
  if (kind < 0 || kind > kindMask) throw new RangeError(`A head has no room for kind ${kind}.`)
  if (tokenCount > maxHeadTokens) throw new RangeError(`A head has no room for ${tokenCount} tokens.`)
  return kind | (tokenCount << tokenCountShift)
}

export function parseHead(head: number): { kind: PoolKind | undefined; tokenCount: number } {
  return { kind: poolKinds[head & kindMask], tokenCount: head >>> tokenCountShift }
}

const tokenCountShift = 4
const kindMask = 2 ** tokenCountShift - 1
const maxHeadTokens = 2 ** (31 - tokenCountShift) - 1

/** Reads a pool with its state at an offset of `states`, which are the shared records or a copy. */
export function readPool(
  tables: PoolTables,
  pool: number,
  offset: number,
  states = tables.records.words,
): PoolSnapshot {
  const { words } = tables.records
  const info = loadWord(tables.pools, pool * poolRow.words + poolRow.info)
  const { kind, tokenCount } = parseHead(words[info + infoRecord.head] as number)
  if (kind === undefined) throw new Error('A pool has an unknown kind.')
  const at = info + infoRecord.tokens
  const listing = {
    kind,
    source: readText({ words, at: words[info + infoRecord.source] as number }),
    address: readAddress({ words, at: info + infoRecord.address }),
    tokens: Array.from({ length: tokenCount }, (_, i) => tokenAddress(tables, words[at + i] as number)),
    fixed: poolCodecs[kind].readFixed({ words, at: at + tokenCount }),
  }
  const state = poolCodecs[kind].readState({ words: states, at: offset + stateRecord.rest }, () => {
    const place = (states[offset + stateRecord.ticks] as number) + ticksRecord.rest
    return markValid(readTicks({ words: states, at: place }))
  })
  return { listing, state }
}

/** Number of words of a state and its ticks. */
export function stateWords({ records: { words } }: PoolTables, offset: number): number {
  const ticks = words[offset + stateRecord.ticks] as number
  const length = words[offset + stateRecord.length] as number
  return length + (ticks === 0 ? 0 : (words[ticks + ticksRecord.length] as number))
}

/** Copies the records of a state, to be read at offset 0. */
export function copyState({ records: { words } }: PoolTables, offset: number): Uint32Array {
  const length = words[offset + stateRecord.length] as number
  const ticks = words[offset + stateRecord.ticks] as number
  const tickWords = ticks === 0 ? 0 : (words[ticks + ticksRecord.length] as number)
  const copy = new Uint32Array(length + tickWords)
  copy.set(words.subarray(offset, offset + length))
  copy.set(words.subarray(ticks, ticks + tickWords), length)
  copy[stateRecord.ticks] = length
  return copy
}

/** Pools share the texts of their tokens. */
export function tokenAddress(tables: PoolTables, token: number): Address {
  const known = addresses.get(tables) ?? new Map<number, Address>()
  addresses.set(tables, known)
  const address = known.get(token) ?? readToken(tables, token)
  if (known.size >= maxAddresses) known.clear()
  known.set(token, address)
  return address
}

const addresses = new WeakMap<PoolTables, Map<number, Address>>()
const maxAddresses = 4_000

function readToken({ tokens }: PoolTables, token: number): Address {
  const row = token * tokenRow.words
  loadWord(tokens, row + tokenRow.words - 1)
  return readAddress({ words: tokens.words, at: row })
}

/** Writes a text as its number of UTF-8 bytes, and four bytes a word. */
export function writeText(out: WordWriter, text: string): void {
  const bytes = Buffer.from(text)
  writeWord(out, bytes.length)
  for (let i = 0; i < bytes.length; i += 4) {
    writeWord(out, Buffer.concat([bytes.subarray(i, i + 4), Buffer.alloc(4)]).readUInt32LE())
  }
}

/** Throws a RangeError on a text that the words cannot hold. */
export function readText(from: WordReader): string {
  const length = readWord(from)
  const count = Math.ceil(length / 4)
  if (!(count <= from.words.length - from.at)) throw new RangeError('The text is longer than its record.')
  const bytes = Buffer.alloc(count * 4)
  for (let i = 0; i < count; i++) bytes.writeUInt32LE(readWord(from), i * 4)
  return internText(bytes.toString('utf8', 0, length))
}

/** Sources are few: one text for all pools of a source. */
function internText(text: string): string {
  const known = texts.get(text)
  if (known !== undefined) return known
  if (texts.size < maxTexts) texts.set(text, text)
  return text
}

const texts = new Map<string, string>()
const maxTexts = 1_000
