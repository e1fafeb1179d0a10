import type { Address } from '../token/token.ts'

/** ISO 4217. Values other than dollars need a rate on chain. */
export const currencies = ['USD', 'EUR', 'GBP', 'JPY', 'CHF', 'CNY'] as const
export type Currency = (typeof currencies)[number]

/** `usd`: US dollars of one unit, with eight decimals. */
export type CurrencyRate = { currency: Currency; usd: bigint }

export const dollars: CurrencyRate = { currency: 'USD', usd: 100_000_000n }

/** Chainlink feeds of a chain, in US dollars per unit. */
export type CurrencyFeeds = { [currency in Currency]?: Address }
