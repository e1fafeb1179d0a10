import type { Address, ChainConfig, Factory } from '../config.ts'
import type { PoolInfo } from '../pools/poolType.ts'
import { poolTypes } from '../pools/registry.ts'
import type { BlockRef, Chain } from './chain.ts'

/** True for a factory that is the pool itself, named by the config and announced by no event. */
export function isNamed({ kind }: Factory): boolean {
  return poolTypes[kind].created === undefined
}

/** Listings do not change, so that lookups of tokens need not read them again. */
const known = new WeakMap<Chain, Map<Address, PoolInfo>>()

/** Reads what a named pool is; empty if it is unsupported. */
export async function listNamed(
  { wrapped }: ChainConfig,
  chain: Chain,
  block: BlockRef,
  factory: Factory,
): Promise<PoolInfo[]> {
  const pools = known.get(chain) ?? new Map<Address, PoolInfo>()
  known.set(chain, pools)
  const listed = await poolTypes[factory.kind].list(chain, block, [], factory, wrapped)
  for (const pool of listed) pools.set(factory.address, pool)
  return listed
}

/** Returns the named pools of the config; reads those that were not read before. */
export async function recallNamed(config: ChainConfig, chain: Chain, block: BlockRef): Promise<PoolInfo[]> {
  const listed = config.factories.filter(isNamed).map(async (factory) => {
    const pool = known.get(chain)?.get(factory.address)
    return pool === undefined ? listNamed(config, chain, block, factory) : [pool]
  })
  return (await Promise.all(listed)).flat()
}
