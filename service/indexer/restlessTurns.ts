import type { Address, ChainConfig } from '../config.ts'
import type { PoolSnapshot } from '../pools/poolType.ts'
import { wantedTokens } from './poolDiscovery.ts'

/** Chooses the restless pools to read at a block, since anyone can create them: all, or by turns. */
export type RestlessTurns = (pools: readonly PoolSnapshot[]) => PoolSnapshot[]

/** Pools per block: between tokens of the list, and others. */
const [maxListed, maxOthers] = [400, 32] as const

/** Creates turns by address; pools beyond the limits keep their states until their next one. */
export function createRestlessTurns(config: ChainConfig): RestlessTurns {
  const wanted = wantedTokens(config)
  const isListed = ({ listing: { tokens } }: PoolSnapshot) =>
    wanted === undefined || tokens.every((token) => wanted.has(token))
  const takeListed = createTurns(maxListed)
  const takeOthers = createTurns(maxOthers)
  return (pools) => [
    ...takeListed(pools.filter(isListed)),
    ...takeOthers(pools.filter((pool) => !isListed(pool))),
  ]
}

function createTurns(max: number): RestlessTurns {
  let last: Address | undefined
  return (pools) => {
    if (pools.length <= max) return [...pools]
    const sorted = [...pools].sort((a, b) => (a.listing.address < b.listing.address ? -1 : 1))
    const after = last
    const next = after === undefined ? 0 : sorted.findIndex(({ listing }) => listing.address > after)
    const start = Math.max(0, next)
    const taken = [...sorted.slice(start), ...sorted.slice(0, start)].slice(0, max)
    last = taken.at(-1)?.listing.address
    return taken
  }
}
