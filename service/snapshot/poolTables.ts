import type { Address } from '../config.ts'
import { createSharedWords, openSharedWords, refreshWords, type SharedWords } from './sharedWords.ts'
import { addressWords } from './wordCodec.ts'

/**
 * The pools of a host in shared memory, written by one thread and read by all.
 *
 * Rows are only added; ids begin at 1, and 0 ends a list. A row or record is written before the word that
 * refers to it, which is stored and loaded atomically, so that a reader meets complete rows only. Rows newer
 * than a reader's version have no state in it.
 */
export type PoolTables = {
  /** Parameters, states and ticks of pools (poolCodecs.ts), by offset. */
  records: SharedWords
  pools: SharedWords
  tokens: SharedWords
  tokenSlots: SharedWords
  pairs: SharedWords
  pairSlots: SharedWords
  /** Lists of a pair's pools. */
  links: SharedWords
}

export type PoolTableBuffers = Record<keyof PoolTables, SharedArrayBuffer>

const maxPools = 2 ** 22
/** Slots of the hash tables, which are lists: they stay short up to a million rows. */
export const slotBits = 18

export const poolRow = { words: 2, info: 0, nextInSlot: 1 } as const
/** `pairCount` counts pairs of any version: an estimate. */
export const tokenRow = { words: 8, nextInSlot: 5, firstPair: 6, pairCount: 7 } as const
export const pairRow = {
  words: 6,
  one: 0,
  other: 1,
  nextInSlot: 2,
  nextOfOne: 3,
  nextOfOther: 4,
  first: 5,
} as const
export const linkRow = { words: 2, pool: 0, next: 1 } as const

export function createPoolTables(): PoolTables {
  return {
    records: createSharedWords(2 ** 28),
    pools: createSharedWords(maxPools * poolRow.words),
    tokens: createSharedWords(maxPools * tokenRow.words),
    tokenSlots: createSharedWords(2 ** slotBits),
    pairs: createSharedWords(2 * maxPools * pairRow.words),
    pairSlots: createSharedWords(2 ** slotBits),
    links: createSharedWords(2 * maxPools * linkRow.words),
  }
}

/** State offsets of a version, by pool; 0 where a pool does not exist. */
export function createStateOffsets(): SharedWords {
  return createSharedWords(maxPools)
}

export function buffersOf(tables: PoolTables): PoolTableBuffers {
  return mapTables(tables, ({ buffer }) => buffer)
}

export function openPoolTables(buffers: PoolTableBuffers): PoolTables {
  return mapTables(buffers, openSharedWords)
}

function mapTables<From, To>(from: Record<keyof PoolTables, From>, map: (one: From) => To) {
  const entries = Object.entries(from).map(([name, one]) => [name, map(one as From)])
  return Object.fromEntries(entries) as Record<keyof PoolTables, To>
}

/** Loads a word another thread may be storing; the table may have grown since it was opened. */
export function loadWord(shared: SharedWords, index: number): number {
  const words = index < shared.words.length ? shared.words : refreshWords(shared)
  return Atomics.load(words, index)
}

/** Loads from a table of slots, which is zero where it has not grown to. */
function loadSlot(slots: SharedWords, index: number): number {
  if (index >= slots.words.length && index >= refreshWords(slots).length) return 0
  return Atomics.load(slots.words, index)
}

/** The words of an address, valid until the next call. */
export function toAddressWords(address: Address): Uint32Array {
  for (let i = 0; i < addressWords; i++) {
    scratch[i] = Number.parseInt(address.slice(2 + i * 8, 10 + i * 8), 16)
  }
  return scratch
}

const scratch = new Uint32Array(addressWords)

export function addressSlot(words: Uint32Array): number {
  let hash = 0
  for (let i = 0; i < addressWords; i++) hash = mix(hash, words[i] as number)
  return hash >>> (32 - slotBits)
}

export function pairSlot(one: number, other: number): number {
  return mix(mix(0, one), other) >>> (32 - slotBits)
}

function mix(hash: number, word: number): number {
  const mixed = Math.imul(hash ^ word, 0x9e37_79b1)
  return Math.imul(mixed ^ (mixed >>> 15), 0x85eb_ca77)
}

/** Returns the id of a token; 0 if unknown. */
export function findToken({ tokens, tokenSlots }: PoolTables, address: Address): number {
  const wanted = toAddressWords(address)
  let id = loadSlot(tokenSlots, addressSlot(wanted))
  while (id !== 0) {
    const row = id * tokenRow.words
    if (isAddressAt(tokens, row, wanted)) return id
    id = loadWord(tokens, row + tokenRow.nextInSlot)
  }
  return 0
}

export function isAddressAt(shared: SharedWords, at: number, wanted: Uint32Array): boolean {
  const words = at + addressWords <= shared.words.length ? shared.words : refreshWords(shared)
  for (let i = 0; i < addressWords; i++) if (words[at + i] !== wanted[i]) return false
  return true
}

/** Returns the id of a pair; 0 if no pool trades it. The order of the tokens does not matter. */
export function findPair({ pairs, pairSlots }: PoolTables, one: number, other: number): number {
  const [low, high] = one < other ? [one, other] : [other, one]
  let id = loadSlot(pairSlots, pairSlot(low, high))
  while (id !== 0) {
    const row = id * pairRow.words
    if (loadWord(pairs, row + pairRow.one) === low && loadWord(pairs, row + pairRow.other) === high) return id
    id = loadWord(pairs, row + pairRow.nextInSlot)
  }
  return 0
}

/** Yields the pairs of a token. */
export function* pairsOf(tables: PoolTables, token: number): Generator<{ pair: number; other: number }> {
  const { tokens, pairs } = tables
  let pair = loadWord(tokens, token * tokenRow.words + tokenRow.firstPair)
  while (pair !== 0) {
    const row = pair * pairRow.words
    const one = loadWord(pairs, row + pairRow.one)
    const isOne = one === token
    yield { pair, other: isOne ? loadWord(pairs, row + pairRow.other) : one }
    pair = loadWord(pairs, row + (isOne ? pairRow.nextOfOne : pairRow.nextOfOther))
  }
}

/** Returns the pools that were ever listed for a pair, newest first. */
export function poolsOf({ pairs, links }: PoolTables, pair: number): number[] {
  const found: number[] = []
  let link = loadWord(pairs, pair * pairRow.words + pairRow.first)
  while (link !== 0) {
    found.push(loadWord(links, link * linkRow.words + linkRow.pool))
    link = loadWord(links, link * linkRow.words + linkRow.next)
  }
  return found
}
