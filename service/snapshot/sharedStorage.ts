import type { Address } from '../config.ts'
import type { Pool } from '../pools/pool.ts'
import { toPool } from '../pools/registry.ts'
import type { Neighbours, PoolStorage } from '../routing/market.ts'
import type { PriceIndex } from '../routing/priceIndex.ts'
import { createDecodedPools, type KnownPair } from './decodedPools.ts'
import { readPool, stateRecord, stateWords, tokenAddress } from './poolRecord.ts'
import {
  findPair,
  findToken,
  loadWord,
  type PoolTables,
  pairRow,
  pairsOf,
  poolsOf,
  tokenRow,
} from './poolTables.ts'
import { createPriceReader, type PriceReader } from './priceReader.ts'
import { refreshWords } from './sharedWords.ts'
import type { PoolVersion, VersionSlot } from './versionSlots.ts'

/** Reads versions of shared pools. Pools are decoded when a search meets them, and kept for the next. */
export type SharedStorage = PoolStorage & {
  /** Reads a version from now on; it must stay pinned or current. */
  open(version: PoolVersion): void
  /** Returns the id of a pool of the latest search. */
  idOf(pool: Pool): number | undefined
  /** Estimate of the plain memory that decoded pools take. */
  decodedBytes(): number
}

/**
 * Bytes of decoded pools of all threads of a host. A search of the whole market decodes more pools of a
 * larger market; one may exceed this, until the next begins.
 */
export function maxDecodedBytes({ size }: PoolVersion): number {
  return 24e6 + 400 * Math.max(0, size - 100_000)
}

export function createSharedStorage(
  tables: PoolTables,
  slots: readonly VersionSlot[],
  maxBytes: (version: PoolVersion) => number = maxDecodedBytes,
): SharedStorage {
  let version: PoolVersion = { id: 0, slot: 0, lastPool: 0, size: 0 }
  const decoded = createDecodedPools()
  let prices: { of: ReadonlySet<Address>; reader: PriceReader } | undefined
  let counts: { layout: number; of: ReadonlySet<Address>; by: Map<Address, number> } | undefined

  function stateOf(pool: number): number {
    return pool > version.lastPool ? 0 : ((slots[version.slot] as VersionSlot).offsets.words[pool] as number)
  }

  function sequenceOf(state: number): number {
    return tables.records.words[state + stateRecord.sequence] as number
  }

  function poolOf(id: number, pair: number): Pool {
    const state = stateOf(id)
    return decoded.pool(id, sequenceOf(state), pair, () => ({
      pool: toPool(readPool(tables, id, state)),
      bytes: bytesPerPool + bytesPerWord * stateWords(tables, state),
    }))
  }

  function present(pair: number): number[] {
    if (pair === 0) return []
    return poolsOf(tables, pair).filter((pool) => stateOf(pool) !== 0)
  }

  function readPair(id: number): KnownPair | undefined {
    const known = decoded.pair(id)
    if (known?.checkedAt === version.id) return known
    const own = present(id)
    if (own.length === 0) return undefined
    const sequences = own.map((pool) => sequenceOf(stateOf(pool)))
    const isSame =
      known?.ids.length === own.length &&
      own.every((pool, i) => pool === known.ids[i] && sequences[i] === known.sequences[i])
    if (known !== undefined && isSame) {
      known.checkedAt = version.id
      return known
    }
    const one = tokenAddress(tables, loadWord(tables.pairs, id * pairRow.words + pairRow.one))
    const pools = () => own.map((pool) => poolOf(pool, id))
    const pair = { one, pools, ranked: undefined, ids: own, sequences, checkedAt: version.id }
    decoded.addPair(id, pair)
    return pair
  }

  function hasPool(pair: number): boolean {
    return present(pair).length > 0
  }

  function neighbours(token: Address): Neighbours {
    const own = findToken(tables, token)
    if (own === 0) return { size: 0, has: () => false, tokens: () => [] }
    return {
      size: pairCount(own),
      has(other) {
        const id = idOfToken(other)
        return id !== 0 && hasPool(findPair(tables, own, id))
      },
      *tokens() {
        for (const { pair, other } of pairsOf(tables, own))
          if (hasPool(pair)) yield tokenAddress(tables, other)
      },
    }
  }

  /** Trusted tokens are looked up in every search. */
  const tokenIds = new Map<Address, number>()

  function idOfToken(token: Address): number {
    const known = tokenIds.get(token)
    if (known !== undefined) return known
    const id = findToken(tables, token)
    if (id !== 0 && counts?.of.has(token) === true) tokenIds.set(token, id)
    return id
  }

  function readPrices(wanted: ReadonlySet<Address>): { layout: number; index: PriceIndex } {
    if (prices?.of !== wanted) prices = { of: wanted, reader: createPriceReader(tables, slots, wanted) }
    return prices.reader.read(version)
  }

  function pairCount(token: number): number {
    return loadWord(tables.tokens, token * tokenRow.words + tokenRow.pairCount)
  }

  return {
    open(next) {
      decoded.beginSearch(maxBytes(next))
      if (next.id === version.id) return
      version = next
      for (const table of [...Object.values(tables), (slots[next.slot] as VersionSlot).offsets])
        refreshWords(table)
    },

    idOf(pool) {
      const [one, other] = pool.tokens.map((token) => findToken(tables, token))
      if (!one || !other) return undefined
      return poolsOf(tables, findPair(tables, one, other)).find((id) => decoded.peek(id) === pool)
    },

    decodedBytes: decoded.bytes,
    size: () => version.size,

    pair(one, other) {
      const [oneId, otherId] = [idOfToken(one), idOfToken(other)]
      const pair = oneId === 0 || otherId === 0 ? 0 : findPair(tables, oneId, otherId)
      return pair === 0 ? undefined : readPair(pair)
    },

    neighbours,
    prices: (wanted) => readPrices(wanted).index,

    poolCounts(wanted) {
      const { layout, index } = readPrices(wanted)
      if (counts?.layout !== layout || counts.of !== wanted) {
        counts = { layout, of: wanted, by: countPools(index) }
      }
      return counts.by
    },
  }
}

/** Closures, parameters, curves and ranks of a pool; of a tick (3 to 4 words) its objects and its ranges. */
const bytesPerPool = 2_000
const bytesPerWord = 36

function countPools({ tokens, first }: PriceIndex): Map<Address, number> {
  const counted = new Map<Address, number>()
  tokens.forEach((token, i) => {
    const count = (first[i + 1] as number) - (first[i] as number)
    if (count > 0) counted.set(token, count)
  })
  return counted
}
