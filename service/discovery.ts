import type { Chain } from './chain.ts'
import type { ChainConfig } from './config.ts'
import type { Listing } from './pools/kind.ts'
import { kinds } from './pools/kinds.ts'

/** The pools that the config's factories made after block `after` (from the factories' first, when absent), up to `to`. */
export async function discover(
  { factories }: ChainConfig,
  chain: Chain,
  after: bigint | undefined,
  to: bigint,
): Promise<Listing[]> {
  const found = await Promise.all(
    factories.map(async (factory) => {
      const { created, list } = kinds[factory.kind]
      const from = after === undefined ? BigInt(factory.fromBlock) : after + 1n
      const logs = await chain.logs([created], from, to, [factory.address])
      return logs.map((log) => list(log, factory))
    }),
  )
  return found.flat()
}
