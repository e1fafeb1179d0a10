import type { Address } from '../config.ts'
import type { Pool } from '../pools/pool.ts'
import { toPool } from '../pools/registry.ts'
import type { Neighbours, Pair, PoolStorage } from '../routing/market.ts'
import { createPriceBook, type PriceBook, type PriceIndex } from '../routing/priceIndex.ts'
import { readPool, stateRecord, tokenAddress } from './poolRecord.ts'
import type { PoolVersion } from './poolStore.ts'
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
import { refreshWords, type SharedWords } from './sharedWords.ts'

/** Reads versions of shared pools. Pools are decoded when a search meets them, and kept while unchanged. */
export type SharedStorage = PoolStorage & {
  /** Reads a version from now on; it must stay pinned or current. */
  open(version: PoolVersion): void
  /** Returns the id of a pool that this storage has decoded. */
  idOf(pool: Pool): number | undefined
}

type Decoded = { sequence: number; pool: Pool }

type KnownPair = Pair & { ids: readonly number[]; sequences: readonly number[]; checkedAt: number }

type Prices = {
  book: PriceBook
  of: ReadonlySet<Address>
  membership: number
  /** By pool. */
  sequences: Map<number, number>
  put(id: number): void
  checkedAt: number
}

/** Decoded pools kept; up to twice as many, and their pairs, take about 20 MB. */
const maxDecoded = 2_500

export function createSharedStorage(
  tables: PoolTables,
  offsets: readonly SharedWords[],
  most = maxDecoded,
): SharedStorage {
  let version: PoolVersion = { id: 0, slot: 0, lastPool: 0, size: 0, membership: 0 }
  let decoded = new Map<number, Decoded>()
  let earlier = new Map<number, Decoded>()
  let pairs = new Map<number, KnownPair>()
  const ids = new WeakMap<Pool, number>()
  let prices: Prices | undefined
  let counts: { membership: number; of: ReadonlySet<Address>; by: Map<Address, number> } | undefined

  function stateOf(pool: number): number {
    return pool > version.lastPool ? 0 : ((offsets[version.slot] as SharedWords).words[pool] as number)
  }

  function sequenceOf(state: number): number {
    return tables.records.words[state + stateRecord.sequence] as number
  }

  function poolOf(id: number): Pool {
    const state = stateOf(id)
    const sequence = sequenceOf(state)
    const known = decoded.get(id) ?? earlier.get(id)
    const kept =
      known?.sequence === sequence ? known : { sequence, pool: toPool(readPool(tables, id, state)) }
    decoded.set(id, kept)
    ids.set(kept.pool, id)
    return kept.pool
  }

  function present(pair: number): number[] {
    if (pair === 0) return []
    return poolsOf(tables, pair).filter((pool) => stateOf(pool) !== 0)
  }

  function readPair(id: number): KnownPair | undefined {
    const known = pairs.get(id)
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
    const pools = () => own.map(poolOf)
    const pair = { one, pools, ranked: undefined, ids: own, sequences, checkedAt: version.id }
    pairs.set(id, pair)
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

  /** Laid out again when pools are added or removed; states are compared once a version. */
  function readPrices(wanted: ReadonlySet<Address>): PriceIndex {
    const isOther = prices?.membership !== version.membership || prices.of !== wanted
    const known = prices !== undefined && !isOther ? prices : openPrices(wanted)
    prices = known
    if (known.checkedAt !== version.id) {
      for (const [id, sequence] of known.sequences) {
        const now = sequenceOf(stateOf(id))
        if (now === sequence) continue
        known.sequences.set(id, now)
        known.put(id)
      }
      known.checkedAt = version.id
    }
    return known.book.index()
  }

  function openPrices(wanted: ReadonlySet<Address>): Prices {
    const book = createPriceBook(wanted)
    // Not kept: the index is all that is needed of most of these pools.
    const read = (id: number) => toPool(readPool(tables, id, stateOf(id)))
    const put = (id: number) => {
      const { address, tokens } = read(id)
      book.put(address, tokens, () => read(id))
    }
    const { membership } = version
    const sequences = new Map<number, number>()
    forTrustedPairs(wanted, (_token, pools) => {
      for (const id of pools) sequences.set(id, -1)
    })
    return { book, of: wanted, membership, sequences, put, checkedAt: -1 }
  }

  /** Walks a token's pairs or the other tokens, whichever are fewer: a hub trades against most tokens. */
  function forTrustedPairs(
    wanted: ReadonlySet<Address>,
    work: (token: Address, pools: readonly number[]) => void,
  ): void {
    const byId = new Map<number, Address>()
    for (const token of wanted) {
      const id = findToken(tables, token)
      if (id !== 0) byId.set(id, token)
    }
    for (const [id, token] of byId) {
      if (pairCount(id) > byId.size) {
        for (const other of byId.keys()) work(token, present(findPair(tables, id, other)))
      } else {
        for (const { pair, other } of pairsOf(tables, id)) if (byId.has(other)) work(token, present(pair))
      }
    }
  }

  function countPools(wanted: ReadonlySet<Address>): Map<Address, number> {
    const counted = new Map<Address, number>()
    forTrustedPairs(wanted, (token, pools) => counted.set(token, (counted.get(token) ?? 0) + pools.length))
    return counted
  }

  function pairCount(token: number): number {
    return loadWord(tables.tokens, token * tokenRow.words + tokenRow.pairCount)
  }

  return {
    open(next) {
      // Not during a search: a pool is one object in all its pairs.
      if (decoded.size > most) {
        earlier = decoded
        decoded = new Map()
        pairs = new Map()
      }
      if (next.id === version.id) return
      version = next
      for (const table of [...Object.values(tables), offsets[next.slot] as SharedWords]) refreshWords(table)
    },

    idOf: (pool) => ids.get(pool),
    size: () => version.size,

    pair(one, other) {
      const [oneId, otherId] = [idOfToken(one), idOfToken(other)]
      const pair = oneId === 0 || otherId === 0 ? 0 : findPair(tables, oneId, otherId)
      return pair === 0 ? undefined : readPair(pair)
    },

    neighbours,
    prices: readPrices,

    poolCounts(tokens) {
      if (counts?.membership !== version.membership || counts.of !== tokens) {
        counts = { membership: version.membership, of: tokens, by: countPools(tokens) }
      }
      return counts.by
    },
  }
}
