import type { Address } from '../config.ts'
import {
  addressSlot,
  findPair,
  findToken,
  isAddressAt,
  linkRow,
  loadWord,
  type PoolTables,
  pairRow,
  pairSlot,
  poolRow,
  slotBits,
  toAddressWords,
  tokenRow,
} from './poolTables.ts'
import { growWords, type SharedWords } from './sharedWords.ts'

/** Adds rows; only the writing thread has one. */
export type TableWriter = {
  /** Returns the id of a token, adding it if new. */
  tokenOf(address: Address): number
  /** Returns the pools ever listed at an address: several if their parameters differ. */
  poolsAt(address: Address): number[]
  /** Adds a pool with an info record at `info`, and links it to each pair of its tokens. Returns its id. */
  addPool(info: number, address: Address, tokens: readonly number[]): number
  /** The highest pool id. */
  lastPool(): number
}

/** `addressOffset` is the place of the address in an info record. */
export function createTableWriter(tables: PoolTables, addressOffset: number): TableWriter {
  const { pools, tokens, tokenSlots, pairs, pairSlots, links, records } = tables
  const poolSlots = new Uint32Array(2 ** slotBits)
  let [lastPool, lastToken, lastPair, lastLink] = [0, 0, 0, 0]

  function pairOf(one: number, other: number): number {
    const known = findPair(tables, one, other)
    if (known !== 0) return known
    const [low, high] = one < other ? [one, other] : [other, one]
    lastPair++
    const row = addRow(pairs, lastPair, pairRow.words)
    const slot = pairSlot(low, high)
    growWords(pairSlots, slot + 1)
    const [lowRow, highRow] = [low * tokenRow.words, high * tokenRow.words]
    const values = [low, high, loadWord(pairSlots, slot), firstPair(lowRow), firstPair(highRow), 0]
    values.forEach((value, i) => {
      pairs.words[row + i] = value
    })
    Atomics.store(pairSlots.words, slot, lastPair)
    for (const tokenAt of [lowRow, highRow]) {
      Atomics.store(tokens.words, tokenAt + tokenRow.firstPair, lastPair)
      Atomics.add(tokens.words, tokenAt + tokenRow.pairCount, 1)
    }
    return lastPair
  }

  function firstPair(row: number): number {
    return loadWord(tokens, row + tokenRow.firstPair)
  }

  function link(pair: number, pool: number): void {
    lastLink++
    const row = addRow(links, lastLink, linkRow.words)
    const head = pair * pairRow.words + pairRow.first
    links.words[row + linkRow.pool] = pool
    links.words[row + linkRow.next] = loadWord(pairs, head)
    Atomics.store(pairs.words, head, lastLink)
  }

  return {
    lastPool: () => lastPool,

    tokenOf(address) {
      const known = findToken(tables, address)
      if (known !== 0) return known
      const words = toAddressWords(address)
      const slot = addressSlot(words)
      lastToken++
      const row = addRow(tokens, lastToken, tokenRow.words)
      growWords(tokenSlots, slot + 1)
      tokens.words.set(words, row)
      tokens.words[row + tokenRow.nextInSlot] = loadWord(tokenSlots, slot)
      Atomics.store(tokenSlots.words, slot, lastToken)
      return lastToken
    },

    poolsAt(address) {
      const found: number[] = []
      const wanted = toAddressWords(address)
      let id = poolSlots[addressSlot(wanted)] as number
      while (id !== 0) {
        const row = id * poolRow.words
        const info = loadWord(pools, row + poolRow.info)
        if (isAddressAt(records, info + addressOffset, wanted)) found.push(id)
        id = loadWord(pools, row + poolRow.nextInSlot)
      }
      return found
    },

    addPool(info, address, itsTokens) {
      const slot = addressSlot(toAddressWords(address))
      lastPool++
      const row = addRow(pools, lastPool, poolRow.words)
      pools.words[row + poolRow.info] = info
      pools.words[row + poolRow.nextInSlot] = poolSlots[slot] as number
      poolSlots[slot] = lastPool
      itsTokens.forEach((one, i) => {
        for (const other of itsTokens.slice(i + 1)) link(pairOf(one, other), lastPool)
      })
      return lastPool
    },
  }
}

function addRow(table: SharedWords, id: number, words: number): number {
  growWords(table, (id + 1) * words)
  return id * words
}
