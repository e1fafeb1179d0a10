import type { Address } from '../config.ts'
import type { Pool } from '../pools/pool.ts'

/** Who trades with whom. */
export type Market = {
  /** Takes in a pool, or another state of it; it is made when it is first wanted. */
  put(address: Address, tokens: readonly Address[], make: () => Pool): void
  trades(token: Address): boolean
  /** The pools of a pair that hold something, the deepest first. */
  pools(one: Address, other: Address): readonly Pool[]
}

type Entry = { make: () => Pool; pool: Pool | undefined }

/** The pools of two tokens: ranked when they are first asked for, since a block's quotes touch few pairs. */
type Pair = { entries: Entry[]; ranked: readonly Pool[] | undefined }

export function createMarket(): Market {
  const entries = new Map<Address, Entry>()
  const pairs = new Map<Address, Map<Address, Pair>>()

  function pairOf(one: Address, other: Address): Pair {
    const known = pairs.get(one)?.get(other)
    if (known !== undefined) return known
    const pair: Pair = { entries: [], ranked: undefined }
    for (const [from, to] of [[one, other] as const, [other, one] as const]) {
      const others = pairs.get(from) ?? new Map<Address, Pair>()
      pairs.set(from, others.set(to, pair))
    }
    return pair
  }

  function pools(one: Address, other: Address): readonly Pool[] {
    const pair = pairs.get(one)?.get(other)
    if (pair === undefined) return []
    pair.ranked ??= rank(pair.entries, one, other)
    return pair.ranked
  }

  return {
    put(address, tokens, make) {
      const known = entries.get(address)
      const entry: Entry = known ?? { make, pool: undefined }
      entry.make = make
      entry.pool = undefined
      entries.set(address, entry)
      tokens.forEach((one, i) => {
        for (const other of tokens.slice(i + 1)) {
          const pair = pairOf(one, other)
          pair.ranked = undefined
          if (known === undefined) pair.entries.push(entry)
        }
      })
    },
    pools,
    trades: (token) => [...(pairs.get(token)?.keys() ?? [])].some((other) => pools(token, other).length > 0),
  }
}

function rank(entries: readonly Entry[], one: Address, other: Address): Pool[] {
  return entries
    .map((entry) => {
      entry.pool ??= entry.make()
      return { pool: entry.pool, depth: depth(entry.pool, one, other) }
    })
    .filter(({ depth }) => depth > 0)
    .sort((a, b) => b.depth - a.depth || (a.pool.address < b.pool.address ? -1 : 1))
    .map(({ pool }) => pool)
}

/** The geometric mean of all that a pool could pay of either token: comparable between the pools of a pair. */
function depth(pool: Pool, one: Address, other: Address): number {
  const most = (sell: Address, buy: Address) => pool.curve(sell, buy).bought(Number.POSITIVE_INFINITY)
  return Math.sqrt(most(one, other) * most(other, one))
}
