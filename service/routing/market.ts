import type { Address } from '../config.ts'
import type { Pool } from '../pools/pool.ts'
import type { Curve } from '../pools/priceCurve.ts'
import { createPriceBook, type PriceIndex } from './priceIndex.ts'

export type PoolGraph = {
  trades(token: Address): boolean
  /** Pools that can sell `buy`, deepest first. */
  offers(sell: Address, buy: Address): readonly PoolEdge[]
  /** Trusted tokens that trade against each of `tokens`, most pools first. */
  neighbours(tokens: readonly Address[], most: number): Address[]
  /** Returns the pools between trusted tokens. */
  prices(): PriceIndex
  size(): number
}

export type PoolEdge = {
  pool: Pool
  curve: Curve
  /** Marginal price at zero input. */
  start: number
}

/** The pools of one block, by pair of tokens. */
export type PoolStorage = {
  size(): number
  /** Undefined if no pool trades the pair; the same object until one of its pools changes. */
  pair(one: Address, other: Address): Pair | undefined
  neighbours(token: Address): Neighbours
  /** Pools between two of `tokens`, by token; the same object until a pool is added or removed. */
  poolCounts(tokens: ReadonlySet<Address>): ReadonlyMap<Address, number>
  /** Pools between two of `tokens`. */
  prices(tokens: ReadonlySet<Address>): PriceIndex
}

/** Tokens that trade against a token; `size` may be an estimate. */
export type Neighbours = { size: number; has(token: Address): boolean; tokens(): Iterable<Address> }

/** Ranked lazily: quotes touch few pairs. */
export type Pair = { one: Address; pools(): readonly Pool[]; ranked: Ranked | undefined }

type Ranked = { forOne: readonly PoolEdge[]; forOther: readonly PoolEdge[] }

/** Creates the graph of a storage. Only `trusted` tokens connect: anyone can open a pool at any price. */
export function createGraph(storage: PoolStorage, trusted: ReadonlySet<Address>): PoolGraph {
  let counted: ReadonlyMap<Address, number> | undefined
  let famous: readonly Address[] = []

  function offers(sell: Address, buy: Address): readonly PoolEdge[] {
    const pair = storage.pair(sell, buy)
    if (pair === undefined) return []
    pair.ranked ??= rank(pair.pools(), pair.one, pair.one === sell ? buy : sell)
    return pair.one === sell ? pair.ranked.forOne : pair.ranked.forOther
  }

  function byFame(tokens: Iterable<Address>, counts: ReadonlyMap<Address, number>): Address[] {
    return [...tokens]
      .map((token) => ({ token, count: counts.get(token) ?? 0 }))
      .sort((a, b) => b.count - a.count || (a.token < b.token ? -1 : 1))
      .map(({ token }) => token)
  }

  return {
    offers,

    neighbours(tokens, most) {
      const counts = storage.poolCounts(trusted)
      const [fewest = nobody, ...rest] = tokens
        .map((token) => storage.neighbours(token))
        .sort((a, b) => a.size - b.size)
      const isShared = (token: Address) => rest.every((others) => others.has(token))
      if (fewest.size <= smallCircle) {
        const shared = [...fewest.tokens()].filter((token) => trusted.has(token) && isShared(token))
        return byFame(shared, counts).slice(0, most)
      }
      // Faster than sorting many neighbours.
      const found: Address[] = []
      if (counts !== counted) famous = byFame(trusted, counts)
      counted = counts
      for (const token of famous) {
        if (found.length === most) break
        if (fewest.has(token) && isShared(token)) found.push(token)
      }
      return found
    },

    prices: () => storage.prices(trusted),

    size: storage.size,

    trades(token) {
      for (const other of storage.neighbours(token).tokens()) {
        if (offers(token, other).length > 0 || offers(other, token).length > 0) return true
      }
      return false
    },
  }
}

const smallCircle = 100
const nobody: Neighbours = { size: 0, has: () => false, tokens: () => [] }

type Entry = { make: () => Pool; pool: Pool | undefined }

/** Creates a graph of pools in this thread's own memory. */
export function createPoolGraph(trusted: ReadonlySet<Address>): PoolGraph & {
  put(address: Address, tokens: readonly Address[], make: () => Pool): void
} {
  const entries = new Map<Address, Entry>()
  const pairs = new Map<Address, Map<Address, Pair & { entries: Entry[] }>>()
  const book = createPriceBook(trusted)
  let counts: Map<Address, number> | undefined

  function pairOf(one: Address, other: Address) {
    const known = pairs.get(one)?.get(other)
    if (known !== undefined) return known
    const own: Entry[] = []
    const pools = () =>
      own.map((entry) => {
        entry.pool ??= entry.make()
        return entry.pool
      })
    const pair = { one, entries: own, pools, ranked: undefined }
    for (const [from, to] of [[one, other] as const, [other, one] as const]) {
      const others = pairs.get(from) ?? new Map<Address, Pair & { entries: Entry[] }>()
      pairs.set(from, others.set(to, pair))
    }
    return pair
  }

  const storage: PoolStorage = {
    size: () => entries.size,
    pair: (one, other) => pairs.get(one)?.get(other),
    neighbours(token) {
      const others = pairs.get(token)
      if (others === undefined) return nobody
      return { size: others.size, has: (other) => others.has(other), tokens: () => others.keys() }
    },
    poolCounts(tokens) {
      counts ??= countPools(tokens)
      return counts
    },
    prices: book.index,
  }

  function countPools(tokens: ReadonlySet<Address>): Map<Address, number> {
    const counted = new Map<Address, number>()
    for (const token of tokens) {
      for (const [other, pair] of pairs.get(token) ?? []) {
        if (tokens.has(other)) counted.set(token, (counted.get(token) ?? 0) + pair.entries.length)
      }
    }
    return counted
  }

  return {
    ...createGraph(storage, trusted),
    put(address, tokens, make) {
      const known = entries.get(address)
      const entry: Entry = known ?? { make, pool: undefined }
      entry.make = make
      entry.pool = undefined
      entries.set(address, entry)
      if (known === undefined) counts = undefined
      book.put(address, tokens, () => entry.pool ?? entry.make())
      tokens.forEach((one, i) => {
        for (const other of tokens.slice(i + 1)) {
          const pair = pairOf(one, other)
          pair.ranked = undefined
          if (known === undefined) pair.entries.push(entry)
        }
      })
    },
  }
}

function rank(pools: readonly Pool[], one: Address, other: Address): Ranked {
  const deepest = pools
    .map((pool) => {
      const [forOne, forOther] = [createPoolEdge(pool, one, other), createPoolEdge(pool, other, one)]
      return { address: pool.address, forOne, forOther, depth: depth(forOne, forOther) }
    })
    .sort((a, b) => b.depth - a.depth || (a.address < b.address ? -1 : 1))
  // A concentrated pool out of range sells one of its tokens only.
  const sellsAny = ({ curve }: PoolEdge) => curve.most > 0
  return {
    forOne: deepest.map(({ forOne }) => forOne).filter(sellsAny),
    forOther: deepest.map(({ forOther }) => forOther).filter(sellsAny),
  }
}

export function createPoolEdge(pool: Pool, sell: Address, buy: Address): PoolEdge {
  const curve = pool.curve(sell, buy)
  return { pool, curve, start: curve.slope(0) }
}

function depth(one: PoolEdge, other: PoolEdge): number {
  return Math.sqrt(one.curve.most * other.curve.most)
}
