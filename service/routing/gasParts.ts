import type { Address } from '../config.ts'
import { type GasPart, gasCosts, gasMargin } from '../pools/gasCosts.ts'
import { nativeTokenAddress } from '../tokens/registry.ts'
import type { Route } from './route.ts'

/** Number of each part that the gas of a route is made of. */
export function countGasParts({ edges, branches, tokens }: Route): Map<GasPart, number> {
  const counts = new Map<GasPart, number>([
    ['base', 1],
    ['branch', branches.length - 1],
  ])
  const add = (part: GasPart, count = 1) => counts.set(part, (counts.get(part) ?? 0) + count)
  for (const { pool, from, to, sold } of edges) {
    const [sell, buy] = [tokens[from], tokens[to]] as [Address, Address]
    const { kind } = pool.encode(sell)
    // Each branch wraps and unwraps for itself.
    if (kind <= 1) add(sell === nativeTokenAddress ? 'wrap' : 'unwrap', branches.length)
    else if (kind === 2) add('constantProduct')
    else if (kind === 3) {
      add('concentrated')
      add('tick', pool.curve(sell, buy).steps(Number(sold)))
    } else add(pool.gas(sell, buy, sold) === gasCosts.stable ? 'stable' : 'weighted')
  }
  return counts
}

/** Gas that no execution of the route should exceed; its own estimate is what routes are ranked by. */
export function maxGas(route: Route): bigint {
  return [...countGasParts(route)].reduce(
    (sum, [part, count]) => sum + BigInt(count) * gasMargin[part],
    route.gas,
  )
}
