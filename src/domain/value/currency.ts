import type { Address } from '../token/token.ts'

/** ISO 4217. Values other than dollars need a rate on chain. */
export const currencies = ['USD', 'EUR', 'GBP', 'JPY', 'CHF', 'CNY'] as const
export type Currency = (typeof currencies)[number]

/** `usd`: US dollars of one unit, with eight decimals. */
export type CurrencyRate = { currency: Currency; usd: bigint }

export const dollars: CurrencyRate = { currency: 'USD', usd: 100_000_000n }

/** Chainlink feeds of a chain, in US dollars per unit. */
export type CurrencyFeeds = { [currency in Currency]?: Address }

/** Returns the currency's units with `places` decimals, rounded half up. */
export function toUnits(usd: bigint, { usd: perUnit }: CurrencyRate, places: number): bigint {
  return (usd * 10n ** BigInt(places) + perUnit / 2n) / perUnit
}

/** Returns US dollars with eight decimals, rounded down. */
export function fromUnits(units: bigint, { usd: perUnit }: CurrencyRate, places: number): bigint {
  return (units * perUnit) / 10n ** BigInt(places)
}
