import type { Address } from '../config.ts'
import type { RoutingInput } from './candidates.ts'
import type { PoolGraph } from './market.ts'

/** Returns one wei in base units of `token`; 0 if unknown. */
export function nativePrice(
  market: PoolGraph,
  { wrapped, connectors }: RoutingInput,
  token: Address,
): number {
  if (token === wrapped) return 1
  const through = [...connectors, ...market.neighbours([wrapped, token], maxThrough)]
  const prices = [
    bought(market, wrapped, token, probe),
    ...through.map((next) => bought(market, next, token, bought(market, wrapped, next, probe))),
  ]
  return Math.max(...prices) / probe
}

/** Too little to move a price. */
const probe = 1e16
const maxThrough = 8

function bought(market: PoolGraph, sell: Address, buy: Address, amount: number): number {
  return market.offers(sell, buy).reduce((most, { curve }) => Math.max(most, curve.bought(amount)), 0)
}
