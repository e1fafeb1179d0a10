import type { Pool } from '../../pools/pool.ts'
import { type Candidates, createRoutingEdge, type RoutingEdge } from '../candidates.ts'
import type { Route } from '../route.ts'
import { edgeProfit, solveDual } from './dual.ts'

export type Certificate = {
  /** In base units of the bought token. */
  upper: bigint
  gapBps: number
}

const tolerance = 1e-6
/** Floating-point error of the value, and of the flows in it. */
const lostOnValue = 1e-9
const lostOnFlows = 1e-12

/**
 * Bounds the returns of any route over the candidates' pools, without gas.
 *
 * At any prices, the worth of the amount plus each pool's profit is a bound (Diamandis et al. 2023, arXiv
 * 2302.04938, section 2), smallest at market-clearing prices. Because of fees, repeated trades with a
 * two-token pool gain nothing. A pool of more tokens counts per pair as if unused; for repeated trades this
 * holds if the tokens sold and bought are disjoint, as no price of a weighted pool then improves.
 */
export function certify({ evidence, amount, returns }: Route): Certificate {
  const { candidates, prices } = evidence
  let { arcs } = candidates
  if (arcs.length === 0) return { upper: returns, gapBps: 0 }
  let unused = otherWays(candidates)
  let cleared = solveDual(
    arcs,
    candidates.tokens.length,
    Number(amount),
    priceAll([...arcs, ...unused], prices),
    tolerance,
  )
  for (;;) {
    const isTempted = (arc: RoutingEdge) => edgeProfit(arc, cleared.prices) > 0
    const tempted = unused.filter(isTempted)
    if (tempted.length === 0) break
    unused = unused.filter((arc) => !tempted.includes(arc))
    arcs = [...arcs, ...tempted]
    cleared = solveDual(arcs, candidates.tokens.length, Number(amount), cleared.prices, tolerance)
  }
  let flows = 0
  let spared = 0
  arcs.forEach(({ curve, from, to }, i) => {
    const sold = cleared.sold[i] as number
    if (sold === 0) return
    flows += (cleared.prices[from] as number) * sold
    // Curves leave out the last part of the capacity.
    if (sold >= curve.capacity) spared += (cleared.prices[to] as number) * (curve.most - curve.bought(sold))
  })
  const most = (cleared.value + spared) * (1 + lostOnValue) + flows * lostOnFlows
  const upper = BigInt(Math.ceil(most)) + 1n
  return { upper, gapBps: 10_000 * (Number(upper - returns) / Number(upper)) }
}

/** Formats an RFC 9651 dictionary: `upper="123456", gap-bps=0.42`, rounded up. */
export function formatBound({ upper, gapBps }: Certificate): string {
  return `upper="${upper}", gap-bps=${(Math.ceil(gapBps * 100) / 100).toFixed(2)}`
}

function priceAll(arcs: readonly RoutingEdge[], known: readonly number[]): number[] {
  const prices = [...known]
  for (let priced = 0; priced < prices.length; priced++) {
    for (const { from, to, start } of arcs) prices[from] ||= start * (prices[to] as number)
  }
  return prices
}

function otherWays({ tokens, arcs }: Candidates): RoutingEdge[] {
  const places = new Map(tokens.map((token, i) => [token, i]))
  const known = new Map<Pool, RoutingEdge[]>()
  for (const arc of arcs) {
    const own = known.get(arc.pool)
    if (own) own.push(arc)
    else known.set(arc.pool, [arc])
  }
  const others: RoutingEdge[] = []
  for (const [pool, own] of known) {
    for (const sell of pool.tokens) {
      for (const buy of pool.tokens) {
        const [from, to] = [places.get(sell), places.get(buy)]
        if (from === undefined || to === undefined || from === to) continue
        if (!own.some((arc) => arc.from === from && arc.to === to))
          others.push(createRoutingEdge(tokens, pool, from, to))
      }
    }
  }
  return others
}
