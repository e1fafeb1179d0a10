import type { Address } from '../token/token.ts'

/** A trade to compare with the market: `amount` base units of `sell`. */
export type MarketAsk = { sell: Address; buy: Address; amount: bigint }

/** Base units of `buy` at the market's middle price, fees and price impact left out. Never 0. */
export type MarketReturns = PriceSource & { returns: bigint }

/** US dollars with eight decimals. Never 0. */
export type MarketValue = PriceSource & { usd: bigint }

/**
 * `pool` when any part of the price was read from pools. `ageSeconds` is that of the oldest oracle answer, 0 for pools, absent where
 * a feed does not tell.
 */
type PriceSource = { source: 'oracle' | 'pool'; ageSeconds?: number }
