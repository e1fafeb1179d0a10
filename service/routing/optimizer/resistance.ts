import type { Curve } from '../../pools/priceCurve.ts'
import type { RoutingEdge } from '../candidates.ts'

// A line sells all or nothing beside its price and any amount at it, so no prices give the amount that
// balances the tokens; nor do doubles for curves that are nearly lines. Each arc gets a resistance in series:
// its price falls with the amount, by too little to matter beside the returns.

/** Relative fall of the price that sells the whole amount; a split loses at most as much. */
const lineWidth = 1e-6
/** Of other curves; those less stiff never meet it. */
const stiffWidth = 1e-8
/** Rounding of a price that lies on a line. */
const rounding = 1e-12

/** Returns what an arc sells at most at these prices; `scale` is the whole amount in its sold token. */
export function resistedSale(
  { start, curve }: RoutingEdge,
  hasLines: boolean,
  paid: number,
  got: number,
  scale: number,
): number {
  const fall = 1 - paid / (start * got)
  if (!hasLines || !curve.isLinear) return (scale * fall) / stiffWidth
  return (Math.min(curve.capacity, scale) * fall) / lineWidth
}

/** Returns how much more it sells per unit of a relative fall of the price. */
export function resistedSlope({ isLinear, capacity }: Curve, scale: number): number {
  return isLinear ? Math.min(capacity, scale) / lineWidth : scale / stiffWidth
}

/** True for a line that sells as soon as its price falls. */
export function isLevel({ from, to, start, curve }: RoutingEdge, prices: ArrayLike<number>): boolean {
  const [paid, level] = [prices[from] as number, start * (prices[to] as number)]
  return curve.isLinear === true && paid > 0 && paid >= level && paid <= level * (1 + rounding)
}

/**
 * Returns prices at which resisted arcs do not profit, and other arcs that are not full sell no more than at
 * those found: a tiny profit times a capacity far above the amount would loosen the bound.
 */
export function levelPrices(
  arcs: readonly RoutingEdge[],
  found: Float64Array,
  sold: Float64Array,
  isStiff: Uint8Array,
): Float64Array {
  const prices = Float64Array.from(found)
  const priceOf = (token: number) => prices[token] as number
  const open = arcs.flatMap(({ from, to, start, curve }, i) => {
    const ratio = priceOf(from) / priceOf(to)
    if (!(priceOf(from) > 0 && ratio > 0) || (sold[i] as number) >= curve.capacity) return []
    return [{ from, to, least: curve.isLinear || isStiff[i] === 1 ? start : Math.min(start, ratio) }]
  })
  for (let isRaised = true, round = 0; isRaised && round < prices.length; round++) {
    isRaised = false
    for (const { from, to, least } of open) {
      const level = least * priceOf(to)
      if (!(priceOf(from) < level)) continue
      prices[from] = level
      isRaised = true
    }
  }
  return prices
}
