import type { Pool } from '../../service/pools/pool.ts'
import type { PoolSnapshot } from '../../service/pools/poolType.ts'
import { toPool } from '../../service/pools/registry.ts'
import type { PeerMarket } from './peer.ts'

/** A pool with its worth in dollars, as subgraphs list it. */
export type PoolOffer = PoolSnapshot & { pool: Pool; usd: number }

export function toOffers({ pools, tokens }: Pick<PeerMarket, 'pools' | 'tokens'>): PoolOffer[] {
  const units = new Map(tokens.map(({ address, decimals, usd }) => [address, usd / 10 ** decimals]))
  return pools.map((snapshot) => {
    const pool = toPool(snapshot)
    const usd = snapshot.listing.tokens.reduce((sum, token) => {
      const others = snapshot.listing.tokens.filter((other) => other !== token)
      const most = Math.max(...others.map((other) => pool.curve(other, token).most))
      return sum + most * (units.get(token) ?? 0)
    }, 0)
    return { ...snapshot, pool, usd }
  })
}

/** Returns the pools by what can be bought of their tokens, in the order of their listing where equal. */
export function deepestFirst(pools: readonly PoolSnapshot[]): PoolSnapshot[] {
  return pools
    .map((snapshot) => {
      const pool = toPool(snapshot)
      const [one, other] = snapshot.listing.tokens as [`0x${string}`, `0x${string}`]
      return { snapshot, depth: pool.curve(one, other).most * pool.curve(other, one).most }
    })
    .sort((a, b) => b.depth - a.depth)
    .map(({ snapshot }) => snapshot)
}
