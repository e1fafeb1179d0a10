import type { Address } from '../config.ts'
import type { RoutingInput } from './candidates.ts'
import type { PoolGraph } from './market.ts'

/** What one wei of the coin is worth in base units of `token`; 0 when no pool says it. */
export function nativePrice(
  market: PoolGraph,
  { wrapped, connectors }: RoutingInput,
  token: Address,
): number {
  if (token === wrapped) return 1
  const through = [...connectors, ...market.neighbours([wrapped, token], mostThrough)]
  const prices = [
    bought(market, wrapped, token, probe),
    ...through.map((next) => bought(market, next, token, bought(market, wrapped, next, probe))),
  ]
  return Math.max(...prices) / probe
}

/** 0.01 of the coin: about what a transaction may cost, and too little to move a price. */
const probe = 1e16
const mostThrough = 8

function bought(market: PoolGraph, sell: Address, buy: Address, amount: number): number {
  return market.offers(sell, buy).reduce((most, { curve }) => Math.max(most, curve.bought(amount)), 0)
}
