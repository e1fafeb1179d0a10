import type { Address } from '../config.ts'
import { type GasPart, gasCosts, gasMargin } from '../pools/gasCosts.ts'
import { nativeTokenAddress } from '../tokens/registry.ts'
import type { Route } from './route.ts'

/** Counts a route's gas components. */
export function countGasParts({ edges, branches, tokens }: Route): Map<GasPart, number> {
  const counts = new Map<GasPart, number>([
    ['base', 1],
    ['branch', branches.length - 1],
  ])
  const add = (part: GasPart, count = 1) => counts.set(part, (counts.get(part) ?? 0) + count)
  for (const { pool, from, to, sold } of edges) {
    const [sell, buy] = [tokens[from], tokens[to]] as [Address, Address]
    const { kind } = pool.encode(sell)
    if (kind <= 1) add(sell === nativeTokenAddress ? 'wrap' : 'unwrap', branches.length)
    else if (kind === 2) add('constantProduct')
    else if (kind === 3) {
      add('concentrated')
      add('tick', pool.curve(sell, buy).steps(Number(sold)))
    } else add(pool.gas(sell, buy, sold) === gasCosts.stable ? 'stable' : 'weighted')
  }
  return counts
}

/** Returns an upper bound on a route's gas; `route.gas` is an estimate. */
export function maxGas(route: Route): bigint {
  return [...countGasParts(route)].reduce(
    (sum, [part, count]) => sum + BigInt(count) * gasMargin[part],
    route.gas,
  )
}
