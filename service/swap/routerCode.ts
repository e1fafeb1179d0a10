import type { ChainConfig } from '../config.ts'
import { ServiceError } from '../errors.ts'
import type { Node } from '../indexer/node.ts'

/** How long it is believed that there is none. */
const lookAgainMs = 1_000

/**
 * Throws NOT_READY while there is no code where the router is to be: an approval or a swap would go to nobody. What is there stays,
 * so it is looked for until it was found once.
 */
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

/** What an operator is told whose chain has no router yet; undefined when it has. */
export async function routerWarning(
  { router, chainId, name }: ChainConfig,
  node: Node,
): Promise<string | undefined> {
  if ((await node.getCode({ address: router })) !== undefined) return undefined
  const command = `npm run contracts:deploy -- --chain ${chainId} --rpc URL --key-file FILE`
  return `there is no router at ${router} on ${name}: quotes are answered, swaps and approvals are not until you deploy it (${command})`
}
