import type { Address } from '../config.ts'
import { boughtFor } from '../pools/curve.ts'
import type { Pool } from '../pools/pool.ts'
import type { Snapshot } from '../snapshot.ts'

/** Who trades with whom at one block. */
export type Market = {
  trades(token: Address): boolean
  /** The pools of a pair that hold something, the deepest first. */
  pools(one: Address, other: Address): readonly Pool[]
}

/** Sorts a pair when it is first asked for: a block's quotes touch few of them. */
export function createMarket({ entries, pairs }: Pick<Snapshot, 'entries' | 'pairs'>): Market {
  const ranked = new Map<readonly Address[], readonly Pool[]>()

  function pools(one: Address, other: Address): readonly Pool[] {
    const addresses = pairs.get(one)?.get(other)
    if (addresses === undefined) return []
    const known = ranked.get(addresses)
    if (known !== undefined) return known
    const list = addresses
      .flatMap((address) => entries.get(address)?.pool ?? [])
      .map((pool) => ({ pool, depth: depth(pool, one, other) }))
      .filter(({ depth }) => depth > 0)
      .sort((a, b) => b.depth - a.depth || (a.pool.address < b.pool.address ? -1 : 1))
      .map(({ pool }) => pool)
    ranked.set(addresses, list)
    return list
  }

  return {
    pools,
    trades: (token) => [...(pairs.get(token)?.keys() ?? [])].some((other) => pools(token, other).length > 0),
  }
}

/** The geometric mean of all that a pool could pay of either token: comparable between the pools of a pair. */
function depth(pool: Pool, one: Address, other: Address): number {
  const most = (sell: Address, buy: Address) => boughtFor(pool.curve(sell, buy), Number.POSITIVE_INFINITY)
  return Math.sqrt(most(one, other) * most(other, one))
}
