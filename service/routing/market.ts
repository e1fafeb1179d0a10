import type { Address } from '../config.ts'
import type { Pool } from '../pools/pool.ts'
import type { Curve } from '../pools/priceCurve.ts'
import { createPriceBook, type PriceIndex } from './priceIndex.ts'

export type PoolGraph = {
  put(address: Address, tokens: readonly Address[], make: () => Pool): void
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

type Entry = { make: () => Pool; pool: Pool | undefined }

/** Ranked lazily: quotes touch few pairs. */
type Pair = { one: Address; entries: Entry[]; ranked: Ranked | undefined }

type Ranked = { forOne: readonly PoolEdge[]; forOther: readonly PoolEdge[] }

/** Creates a market where only `trusted` tokens connect: anyone can open a pool at any price. */
export function createPoolGraph(trusted: ReadonlySet<Address>): PoolGraph {
  const entries = new Map<Address, Entry>()
  const pairs = new Map<Address, Map<Address, Pair>>()
  const fame = new Map<Address, number>()
  const book = createPriceBook(trusted)
  let famous: readonly Address[] | undefined

  function pairOf(one: Address, other: Address): Pair {
    const known = pairs.get(one)?.get(other)
    if (known !== undefined) return known
    const pair: Pair = { one, entries: [], ranked: undefined }
    for (const [from, to] of [[one, other] as const, [other, one] as const]) {
      const others = pairs.get(from) ?? new Map<Address, Pair>()
      pairs.set(from, others.set(to, pair))
    }
    return pair
  }

  function praise(one: Address, other: Address): void {
    if (!trusted.has(one) || !trusted.has(other)) return
    for (const token of [one, other]) fame.set(token, (fame.get(token) ?? 0) + 1)
    famous = undefined
  }

  function offers(sell: Address, buy: Address): readonly PoolEdge[] {
    const pair = pairs.get(sell)?.get(buy)
    if (pair === undefined) return []
    pair.ranked ??= rank(pair.entries, pair.one, pair.one === sell ? buy : sell)
    return pair.one === sell ? pair.ranked.forOne : pair.ranked.forOther
  }

  function byFame(tokens: Iterable<Address>): Address[] {
    return [...tokens]
      .map((token) => ({ token, count: fame.get(token) ?? 0 }))
      .sort((a, b) => b.count - a.count || (a.token < b.token ? -1 : 1))
      .map(({ token }) => token)
  }

  return {
    put(address, tokens, make) {
      const known = entries.get(address)
      const entry: Entry = known ?? { make, pool: undefined }
      entry.make = make
      entry.pool = undefined
      entries.set(address, entry)
      book.put(address, tokens, () => entry.pool ?? entry.make())
      tokens.forEach((one, i) => {
        for (const other of tokens.slice(i + 1)) {
          const pair = pairOf(one, other)
          pair.ranked = undefined
          if (known !== undefined) continue
          pair.entries = [...pair.entries, entry]
          praise(one, other)
        }
      })
    },

    offers,

    neighbours(tokens, most) {
      const [fewest = nobody, ...rest] = tokens
        .map((token) => pairs.get(token) ?? nobody)
        .sort((a, b) => a.size - b.size)
      const isShared = (token: Address) => rest.every((others) => others.has(token))
      if (fewest.size <= smallCircle) {
        const shared = [...fewest.keys()].filter((token) => trusted.has(token) && isShared(token))
        return byFame(shared).slice(0, most)
      }
      // Faster than sorting many neighbours.
      const found: Address[] = []
      famous ??= byFame(trusted)
      for (const token of famous) {
        if (found.length === most) break
        if (fewest.has(token) && isShared(token)) found.push(token)
      }
      return found
    },

    prices: book.index,

    size: () => entries.size,

    trades(token) {
      const others = [...(pairs.get(token)?.keys() ?? [])]
      return others.some((other) => offers(token, other).length > 0 || offers(other, token).length > 0)
    },
  }
}

const smallCircle = 100
const nobody: ReadonlyMap<Address, unknown> = new Map()

function rank(entries: readonly Entry[], one: Address, other: Address): Ranked {
  const deepest = entries
    .map((entry) => {
      entry.pool ??= entry.make()
      const [forOne, forOther] = [
        createPoolEdge(entry.pool, one, other),
        createPoolEdge(entry.pool, other, one),
      ]
      return { address: entry.pool.address, forOne, forOther, depth: depth(forOne, forOther) }
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
