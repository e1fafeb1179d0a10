import { WalletError } from '../../errors.ts'
import type { Address } from '../token/token.ts'

/** A trade to compare with the market: `amount` base units of `sell`. */
export type MarketRequest = { sell: Address; buy: Address; amount: bigint }

/** Base units of `buy` at the market's middle price, fees and price impact left out. Never 0. */
export type MarketReturns = PriceSource & { returns: bigint }

/** US dollars with eight decimals. Never 0. */
export type MarketValue = PriceSource & { usd: bigint }

/**
 * `pool` when any part of the price was read from pools. `ageSeconds` is that of the oldest oracle answer, 0 for pools, absent where
 * a feed does not tell.
 */
type PriceSource = { source: 'oracle' | 'pool'; ageSeconds?: number }

/** How far below the market price a quote is warned of, in basis points. */
export const warnAboveBps = 300
/** How far below it the minimum received takes the user's acceptance. */
const acceptAboveBps = 1_000
/** The market may move on against an accepted loss by so much until it is signed. */
const driftBps = 500

/** The share of `market` that `returns` lacks, in basis points, rounded up; 0 for as much or more. */
export function lossBps(returns: bigint, market: bigint): number {
  return returns >= market ? 0 : Number(((market - returns) * 10_000n + market - 1n) / market)
}

/** By how much `returns` is more than `market`, in basis points of `market`, rounded down; 0 for as much or less. */
export function gainBps(returns: bigint, market: bigint): number {
  return returns <= market ? 0 : Number(((returns - market) * 10_000n) / market)
}

/** What a price is against the market's. Of two losses `quoted` is the quote's, and `least` the one at the minimum received. */
export type PriceCheck =
  | { status: 'unknown' }
  | { status: 'near' | 'below'; quotedBps: number }
  /** `isQuoted`: the quote itself is that far below, not its minimum alone. */
  | { status: 'far-below'; quotedBps: number; leastBps: number; isQuoted: boolean }

/** Compares a quote and its minimum with the market. `far-below` takes the user's acceptance, `below` is worth a warning. */
export function checkPrice(returns: bigint, least: bigint, market: MarketReturns | undefined): PriceCheck {
  if (market === undefined) return { status: 'unknown' }
  const [quotedBps, leastBps] = [lossBps(returns, market.returns), lossBps(least, market.returns)]
  if (leastBps > acceptAboveBps)
    return { status: 'far-below', quotedBps, leastBps, isQuoted: quotedBps > acceptAboveBps }
  return { status: quotedBps > warnAboveBps ? 'below' : 'near', quotedBps }
}

/** Throws `below-market` for a minimum that is too far below the market for what the user accepted. */
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
