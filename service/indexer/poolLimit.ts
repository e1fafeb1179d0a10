import type { Address } from '../config.ts'
import type { PoolInfo, PoolSnapshot } from '../pools/poolType.ts'
import { poolTypes } from '../pools/registry.ts'

/** Extra pools (PoolType.isExtra) that are kept for each pair of tokens: those known first. */
export const maxExtraPools = 32

/** Returns a name for the extra pools of a pair together; undefined for a pool of which there are few. */
export function extraPairOf(listing: PoolInfo): string | undefined {
  const { kind, tokens } = listing
  if (poolTypes[kind].isExtra?.(listing) !== true) return undefined
  return [kind, ...[...tokens].sort()].join(' ')
}

/** Leaves out extra pools beyond the first of their pair; `countOf` tells how many there are already. */
export function firstExtras<Item>(
  items: readonly Item[],
  listingOf: (item: Item) => PoolInfo,
  countOf: (pair: string) => number = () => 0,
): Item[] {
  const counts = new Map<string, number>()
  return items.filter((item) => {
    const pair = extraPairOf(listingOf(item))
    if (pair === undefined) return true
    const count = counts.get(pair) ?? countOf(pair)
    counts.set(pair, count + 1)
    return count < maxExtraPools
  })
}

/** Returns how many extra pools of a pair there are among `listings`. */
export function countExtras(listings: readonly PoolInfo[]): (pair: string) => number {
  const counts = new Map<string | undefined, number>()
  for (const listing of listings) {
    const pair = extraPairOf(listing)
    counts.set(pair, (counts.get(pair) ?? 0) + 1)
  }
  return (pair) => counts.get(pair) ?? 0
}

/** Leaves out extra pools that are not known and have no liquidity, or are beyond the first of their pair. */
export function admitPools(
  pools: readonly PoolSnapshot[],
  isKnown: (address: Address) => boolean,
  countOf?: (pair: string) => number,
): PoolSnapshot[] {
  const known = pools.filter(({ listing }) => isKnown(listing.address))
  const others = pools.filter(({ listing, state }) => {
    if (isKnown(listing.address)) return false
    const { isExtra, isEmpty } = poolTypes[listing.kind]
    return isExtra?.(listing) !== true || isEmpty?.(state) !== true
  })
  return [...known, ...firstExtras(others, ({ listing }) => listing, countOf)]
}
