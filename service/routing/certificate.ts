import type { Pool } from '../pools/pool.ts'
import { type Candidates, createArc, type RoutingEdge } from './candidates.ts'
import { edgeProfit, solveDual } from './dual.ts'
import type { Route } from './route.ts'

export type Certificate = {
  /** What no router could exceed, in base units of the bought token. */
  upper: bigint
  /** By how much the route stays below that, in ten-thousandths of it. */
  gapBps: number
}

/** Prices are good enough when surplus flows are so small a part of the value. */
const tolerance = 1e-6
/** What doubles may have lost: on the value, and on each of the amounts whose differences make it up. */
const lostOnValue = 1e-9
const lostOnFlows = 1e-12

/**
 * What the route's amount could return at most, whatever the way: by any router, over all the candidates' pools in both directions,
 * through any number of them, for gas that costs nothing. It holds for returns, not for what is left of them after gas, and the
 * candidates are those of the route's own limits. Wrapping the coin changes nothing, as that is one for one.
 *
 * For any prices, the amount's worth and what each pool alone could earn at them is such a bound (Diamandis et al. 2023, arXiv
 * 2302.04938, section 2); at the prices that clear the market it is least. Trading a pool of two tokens several times earns no more
 * than trading it once, as fees are never paid back. A pool of more tokens counts in each of its pairs as if it were fresh: for a
 * router that uses it once one of them would do. One that uses it several times is covered too where what it sells and what it buys
 * are different tokens: each of its trades then leaves the pool with more of what the next could sell and less of what it could buy,
 * and in a pool with weights, where nothing else counts, no price gets better by that.
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
    // Curves leave a little of their capacity alone, which an exact amount may use.
    if (sold >= curve.capacity) spared += (cleared.prices[to] as number) * (curve.most - curve.bought(sold))
  })
  const most = (cleared.value + spared) * (1 + lostOnValue) + flows * lostOnFlows
  const upper = BigInt(Math.ceil(most)) + 1n
  return { upper, gapBps: 10_000 * (Number(upper - returns) / Number(upper)) }
}

/** As a dictionary of RFC 9651: `upper="123456", gap-bps=0.42`, the gap rounded up. */
export function formatBound({ upper, gapBps }: Certificate): string {
  return `upper="${upper}", gap-bps=${(Math.ceil(gapBps * 100) / 100).toFixed(2)}`
}

/** The search leaves tokens without a price from which it knows no way: here every pool leads both ways. */
function priceAll(arcs: readonly RoutingEdge[], known: readonly number[]): number[] {
  const prices = [...known]
  for (let priced = 0; priced < prices.length; priced++) {
    for (const { from, to, start } of arcs) prices[from] ||= start * (prices[to] as number)
  }
  return prices
}

/** What the candidates' pools trade of their tokens beyond the arcs: back, and between tokens of which the pool is not a deep one. */
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
          others.push(createArc(tokens, pool, from, to))
      }
    }
  }
  return others
}
