import { WalletError } from '../../errors.ts'
import type { Address } from '../token/token.ts'

export type MarketRequest = { sell: Address; buy: Address; amount: bigint }

/**
 * `returns`: base units of `buy` at the mid price, without fees and price impact; never 0. `pool` if any part
 * comes from pools. `ageSeconds`: oldest oracle answer; 0 for pools, absent when unknown.
 */
export type MarketReturns = { returns: bigint; source: 'oracle' | 'pool'; ageSeconds?: number }

/** Loss with a warning, in basis points. */
export const warnAboveBps = 300
/** Loss at minReturn that needs acceptance. */
const acceptAboveBps = 1_000
/** Market drift allowed until signing. */
const driftBps = 500

/** Returns basis points, rounded up; 0 without a loss. */
export function lossBps(returns: bigint, market: bigint): number {
  return returns >= market ? 0 : Number(((market - returns) * 10_000n + market - 1n) / market)
}

/** Returns basis points of `market`, rounded down; 0 without a gain. */
export function gainBps(returns: bigint, market: bigint): number {
  return returns <= market ? 0 : Number(((returns - market) * 10_000n) / market)
}

/** `quotedBps` is the quote's loss, `leastBps` that at minReturn. */
export type PriceCheck =
  | { status: 'unknown' }
  | { status: 'near' | 'below'; quotedBps: number }
  | { status: 'far-below'; quotedBps: number; leastBps: number; isQuoted: boolean }

/** Compares with the market: `far-below` needs acceptance, `below` a warning. */
export function checkPrice(returns: bigint, least: bigint, market: MarketReturns | undefined): PriceCheck {
  if (market === undefined) return { status: 'unknown' }
  const [quotedBps, leastBps] = [lossBps(returns, market.returns), lossBps(least, market.returns)]
  if (leastBps > acceptAboveBps)
    return { status: 'far-below', quotedBps, leastBps, isQuoted: quotedBps > acceptAboveBps }
  return { status: quotedBps > warnAboveBps ? 'below' : 'near', quotedBps }
}

/** Throws `below-market` for a larger loss than accepted. */
export function requireAcceptedLoss(
  least: bigint,
  market: MarketReturns | undefined,
  acceptedBps: number | undefined,
): void {
  const loss = market === undefined ? 0 : lossBps(least, market.returns)
  const limit = acceptedBps === undefined ? acceptAboveBps : acceptedBps + driftBps
  if (loss <= acceptAboveBps || loss <= limit) return
  throw new WalletError('below-market', `At worst it pays ${loss / 100} % less than the market price.`, {
    least: `${least}`,
    market: `${market?.returns}`,
  })
}
