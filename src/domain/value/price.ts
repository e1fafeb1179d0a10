import type { Address } from '../token/token.ts'
import type { CurrencyRate } from './currency.ts'

/**
 * `per` base units are worth `usd` (eight decimals); never 0. `serviceUsd`: what the swap service says where
 * it differs notably.
 */
export type TokenPrice = {
  usd: bigint
  per: bigint
  source: 'oracle' | 'pool' | 'service'
  /** Absent when unknown. */
  ageSeconds?: number
  serviceUsd?: bigint
}

export type TokenPrices = Record<Address, TokenPrice>

/** Tokens without a price are absent. `rate`: of the chosen currency, dollars if no chain knows it. */
export type PriceList = { prices: TokenPrices; rate: CurrencyRate }

/** Returns US dollars with eight decimals, rounded down. */
export function toUsd(amount: bigint, { usd, per }: Pick<TokenPrice, 'usd' | 'per'>): bigint {
  return (amount * usd) / per
}

/** Returns base units, rounded down. */
export function fromUsd(value: bigint, { usd, per }: Pick<TokenPrice, 'usd' | 'per'>): bigint {
  return (value * per) / usd
}

/** Returns the known prices, to store beside an amount. */
export function toPastPrices<Key extends string>(
  prices: Record<Key, TokenPrice | undefined>,
): { [key in Key]?: Pick<TokenPrice, 'usd' | 'per'> } {
  const known = Object.entries<TokenPrice | undefined>(prices).flatMap(([key, price]) =>
    price === undefined ? [] : [[key, { usd: price.usd, per: price.per }]],
  )
  return Object.fromEntries(known)
}
