import type { Address } from '../config.ts'
import type { PoolInfo, PoolSnapshot } from '../pools/poolType.ts'
import { poolTypes } from '../pools/registry.ts'
import type { BlockRef, Chain } from './chain.ts'

/**
 * Extra pools (PoolType.isExtra) that are kept for each pair of tokens and kind: those that hold most of both
 * tokens, and beside them the newest empty ones, which may get liquidity later.
 */
export const [maxExtraPools, maxEmptyPools] = [32, 32] as const

/** Extra pools of a pair that a search remembers: the first and the last. */
export const [maxFirst, maxLast] = [1_000, 1_000] as const

/** Of these, whose states are read where that takes many requests (PoolType.probe). */
export const maxRead = 64

type Sides = { name: string; one: number; other: number }

/** Returns the pairs of tokens of an extra pool; none for a pool of which there are few. */
function extraPairsOf(listing: PoolInfo): Sides[] {
  const { kind, tokens } = listing
  if (poolTypes[kind].isExtra?.(listing) !== true) return []
  return tokens.flatMap((token, one) =>
    tokens.slice(one + 1).map((sibling, i) => {
      return { name: [kind, ...[token, sibling].sort()].join(' '), one, other: one + 1 + i }
    }),
  )
}

/** Leaves out extra pools that are not among the first or the last of each of their pairs. */
export function limitFound(listings: readonly PoolInfo[]): PoolInfo[] {
  const pairs = listings.map(extraPairsOf)
  const counts = new Map<string, number>()
  const placesOf = pairs.map((sides) =>
    sides.map(({ name }) => {
      const place = counts.get(name) ?? 0
      counts.set(name, place + 1)
      return { place, name }
    }),
  )
  return listings.filter((_, i) =>
    (placesOf[i] ?? []).every(({ place, name }) => {
      return place < maxFirst || place >= (counts.get(name) as number) - maxLast
    }),
  )
}

/** Leaves out extra pools of one kind that hold least at their price, where a probe tells it. */
export async function limitRead(
  chain: Chain,
  block: BlockRef,
  listings: readonly PoolInfo[],
): Promise<readonly PoolInfo[]> {
  const [first] = listings
  const probe = first && poolTypes[first.kind].probe
  if (probe === undefined) return listings
  const byPair = new Map<string, PoolInfo[]>()
  for (const listing of listings) {
    for (const { name } of extraPairsOf(listing)) {
      const pools = byPair.get(name) ?? []
      pools.push(listing)
      byPair.set(name, pools)
    }
  }
  const many = [...byPair.values()].filter((pools) => pools.length > maxRead)
  if (many.length === 0) return listings
  const asked = [...new Set(many.flat())]
  const found = await probe(chain, block, asked)
  const leastOf = new Map(asked.map((listing, i) => [listing, found[i] ?? 0n]))
  const least = (listing: PoolInfo) => leastOf.get(listing) ?? 0n
  // The newest of equals: they may get liquidity later.
  const over = many.flatMap((pools) =>
    pools
      .toReversed()
      .sort((a, b) => (least(a) === least(b) ? 0 : least(a) > least(b) ? -1 : 1))
      .slice(maxRead),
  )
  const left = new Set(over)
  return listings.filter((listing) => !left.has(listing))
}

/** The extra pools of a state. */
export type ExtraPools = {
  /** Begins an update; it has effect with `commit`. */
  begin(isWhole: boolean): ExtraDraft
}

export type ExtraDraft = {
  /** Counts a pool with its state; returns those that are left out for it, perhaps itself. */
  put(pool: PoolSnapshot): Address[]
  remove(address: Address): void
  commit(): void
}

/** By pair: products of what pools hold of its tokens, which have the same unit; in the order of arrival. */
type Worths = Map<Address, bigint>

export function createExtraPools(): ExtraPools {
  let pairs = new Map<string, Worths>()
  let namesOf = new Map<Address, readonly string[]>()

  return {
    begin(isWhole) {
      const changed = new Map<string, Worths>()
      const renamed = new Map<Address, readonly string[] | undefined>()

      function worthsOf(name: string): Worths {
        const worths = changed.get(name) ?? new Map(isWhole ? [] : pairs.get(name))
        changed.set(name, worths)
        return worths
      }

      function remove(address: Address): void {
        const names = renamed.has(address) ? renamed.get(address) : isWhole ? undefined : namesOf.get(address)
        if (names === undefined) return
        for (const name of names) worthsOf(name).delete(address)
        renamed.set(address, undefined)
      }

      return {
        put({ listing, state }) {
          const { address, kind } = listing
          const sides = extraPairsOf(listing)
          if (sides.length === 0) return []
          const held = poolTypes[kind].holdings?.(state) ?? []
          for (const { name, one, other } of sides) {
            // One token alone is worth little, but not nothing.
            const worth = ((held[one] ?? 0n) + 1n) * ((held[other] ?? 0n) + 1n) - 1n
            worthsOf(name).set(address, worth)
          }
          const names = sides.map(({ name }) => name)
          renamed.set(address, names)
          const over = new Set(names.flatMap((name) => overflow(worthsOf(name))))
          for (const other of over) remove(other)
          return [...over]
        },

        remove,

        commit() {
          if (isWhole) [pairs, namesOf] = [new Map(), new Map()]
          for (const [name, worths] of changed) {
            if (worths.size > 0) pairs.set(name, worths)
            else pairs.delete(name)
          }
          for (const [address, names] of renamed) {
            if (names === undefined) namesOf.delete(address)
            else namesOf.set(address, names)
          }
        },
      }
    },
  }
}

/** Returns the pools beyond the limits: the oldest empty ones, and those that hold least. */
function overflow(worths: Worths): Address[] {
  if (worths.size <= Math.min(maxExtraPools, maxEmptyPools)) return []
  const all = [...worths]
  const empty = all.filter(([, worth]) => worth === 0n)
  const others = all.filter(([, worth]) => worth > 0n)
  others.sort(([a, one], [b, other]) => (one === other ? (a < b ? -1 : 1) : one > other ? -1 : 1))
  const over = [...empty.slice(0, Math.max(0, empty.length - maxEmptyPools)), ...others.slice(maxExtraPools)]
  return over.map(([address]) => address)
}

/** Leaves out extra pools of a whole state beyond the limits. */
export function limitPools(pools: readonly PoolSnapshot[]): PoolSnapshot[] {
  const draft = createExtraPools().begin(true)
  const over = new Set(pools.flatMap((pool) => draft.put(pool)))
  return pools.filter(({ listing }) => !over.has(listing.address))
}
