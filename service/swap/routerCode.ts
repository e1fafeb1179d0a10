import type { ChainConfig } from '../config.ts'
import { ServiceError } from '../errors.ts'
import type { Node } from '../indexer/node.ts'

const lookAgainMs = 1_000

/** Returns a cached check that throws NOT_READY while the router has no code, as swaps would be lost. */
export function createRouterCheck({ router }: ChainConfig, node: Node): () => Promise<void> {
  let isThere = false
  let lookedAt = Number.NEGATIVE_INFINITY
  return async () => {
    if (!isThere && performance.now() - lookedAt > lookAgainMs) {
      isThere = (await node.getCode({ address: router })) !== undefined
      lookedAt = performance.now()
    }
    if (!isThere) throw new ServiceError('NOT_READY', `there is no router at ${router} yet`)
  }
}

/** Returns a warning if the router is not deployed. */
export async function routerWarning(
  { router, chainId, name }: ChainConfig,
  node: Node,
): Promise<string | undefined> {
  if ((await node.getCode({ address: router })) !== undefined) return undefined
  const command = `npm run contracts:deploy -- --chain ${chainId} --rpc URL --key-file FILE`
  return `there is no router at ${router} on ${name}: quotes are answered, swaps and approvals are not until you deploy it (${command})`
}
