import type { Address } from '../config.ts'
import type { RoutingInput } from './candidates.ts'
import type { PoolGraph } from './market.ts'

/**
 * Returns one wei in base units of `token`; 0 if unknown. Where no pool and no connector leads to the token,
 * its neighbours' prices are tried, then theirs.
 */
export function nativePrice(market: PoolGraph, ground: RoutingInput, token: Address): number {
  const known = new Set([token])
  let ring = new Map([[token, 1]])
  for (let hop = 0; hop <= maxFurther; hop++) {
    const prices = [...ring].map(([near, worth]) => nearPrice(market, ground, near) * worth)
    const most = Math.max(0, ...prices)
    if (most > 0) return most
    ring = widen(market, ring, known)
  }
  return 0
}

/** Returns the unknown neighbours of a ring of tokens, in base units of the first. */
function widen(market: PoolGraph, ring: ReadonlyMap<Address, number>, known: Set<Address>) {
  const wider = new Map<Address, number>()
  for (const [near, worth] of ring) {
    for (const other of market.neighbours([near], maxThrough)) {
      if (known.has(other)) continue
      wider.set(other, Math.max(wider.get(other) ?? 0, worth * spotPrice(market, other, near)))
    }
  }
  for (const token of wider.keys()) known.add(token)
  return wider
}

function nearPrice(market: PoolGraph, { wrapped, connectors }: RoutingInput, token: Address): number {
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
/** Hops beyond the two that are tried first. */
const maxFurther = 3

function bought(market: PoolGraph, sell: Address, buy: Address, amount: number): number {
  return market.offers(sell, buy).reduce((most, { curve }) => Math.max(most, curve.bought(amount)), 0)
}

function spotPrice(market: PoolGraph, sell: Address, buy: Address): number {
  return market.offers(sell, buy).reduce((most, { start }) => Math.max(most, start), 0)
}
