import type { Route } from '../route.ts'

export type Certificate = {
  /** In base units of the bought token. */
  upper: bigint
  gapBps: number
  over: 'market' | 'candidates'
}

/**
 * Bounds the returns of any acyclic split from the sold to the bought token, without gas. The market is all
 * pools of the request's sources between trusted tokens and the two ends: anyone can open a pool at any
 * price, so other tokens never connect. Where the request itself limits connectors, the bound is over the
 * candidates.
 *
 * At any prices, the worth of the amount plus each pool's profit is a bound (Diamandis et al. 2023, arXiv
 * 2302.04938, section 2), smallest at market-clearing prices. Because of fees, repeated trades with a
 * two-token pool gain nothing. A pool of more tokens counts per pair as if unused; for repeated trades this
 * holds if the tokens sold and bought are disjoint, as no price of a weighted pool then improves. Each pool
 * adds what its rounding may pay beyond its curve.
 */
export function certify({ evidence, returns }: Route): Certificate {
  const { value, over } = evidence.bound()
  const upper = value === undefined ? returns : BigInt(Math.ceil(value)) + 1n
  return { upper, over, gapBps: 10_000 * (Number(upper - returns) / Number(upper)) }
}

/** Formats an RFC 9651 dictionary: `upper="123456", gap-bps=0.42, over=market`, rounded up. */
export function formatBound({ upper, gapBps, over }: Certificate): string {
  return `upper="${upper}", gap-bps=${(Math.ceil(gapBps * 100) / 100).toFixed(2)}, over=${over}`
}
