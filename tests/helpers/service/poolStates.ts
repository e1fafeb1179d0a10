import type { Address, ChainConfig } from '../../../service/config.ts'
import type { Chain } from '../../../service/indexer/chain.ts'
import { createPoolState, type PoolState } from '../../../service/indexer/poolState.ts'
import { readUpdate } from '../../../service/indexer/readUpdate.ts'
import type { PoolSnapshot } from '../../../service/pools/poolType.ts'

/** Reads all pools of a config. */
export async function readPools(config: ChainConfig, chain: Chain): Promise<PoolState> {
  const ledger = createPoolState()
  await followUpdate(ledger, config, chain)
  return ledger
}

/** Reads what changed since the last block. Returns the changed pools. */
export async function followUpdate(ledger: PoolState, config: ChainConfig, chain: Chain): Promise<Address[]> {
  const update = await readUpdate(config, chain, ledger)
  if (update) ledger.apply(update)
  return update?.pools.map(({ listing }) => listing.address) ?? []
}

/** Pools with their states by address. */
export const statesOf = (ledger: PoolState): Record<string, PoolSnapshot> =>
  Object.fromEntries(ledger.whole()!.pools.map((standing) => [standing.listing.address, standing]))

/** Sold and bought token of each trade of a pool. */
export const directionsOf = ({ tokens }: { tokens: readonly Address[] }): [Address, Address][] =>
  tokens.flatMap((sell) => tokens.filter((buy) => buy !== sell).map((buy): [Address, Address] => [sell, buy]))
