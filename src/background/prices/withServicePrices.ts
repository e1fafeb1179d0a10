import type { ServicePrices } from '../../api/prices.ts'
import { type Address, isNative } from '../../domain/token/token.ts'
import type { TokenPrice, TokenPrices } from '../../domain/value/price.ts'

type Given = {
  tokens: Address[]
  /** On chain. */
  prices: TokenPrices
  /** True for tokens that have the oracle's price or none. */
  isOfOracle(token: Address): boolean
  listed: ServicePrices
  ageSeconds: number
  wrapped: Address | undefined
  /** Undefined for unknown tokens. */
  decimalsOf(token: Address): number | undefined
}

const places = 26
/** Twentieth of a price: 5 %. */
const notable = 20n

/**
 * Adds the service's prices of tokens without one on chain that the oracle does not list. Elsewhere only says
 * a notable difference.
 */
export function withServicePrices(given: Given): TokenPrices {
  const { tokens, prices, isOfOracle, listed, ageSeconds, wrapped, decimalsOf } = given
  const all = tokens.flatMap((token): [Address, TokenPrice][] => {
    const onChain = prices[token]
    if (onChain === undefined && isOfOracle(token)) return []
    const digits = listed[token] ?? (isNative(token) && wrapped ? listed[wrapped] : undefined)
    const [decimals, usd] = [decimalsOf(token), digits === undefined ? 0n : toUnits(digits)]
    if (decimals === undefined || usd === 0n) return onChain ? [[token, onChain]] : []
    const told = { usd, per: 10n ** BigInt(decimals + places - 8) }
    return [[token, onChain ? compare(onChain, told) : { ...told, source: 'service', ageSeconds }]]
  })
  return Object.fromEntries(all)
}

function compare(price: TokenPrice, told: Pick<TokenPrice, 'usd' | 'per'>): TokenPrice {
  const usd = (told.usd * price.per) / told.per
  const apart = usd > price.usd ? usd - price.usd : price.usd - usd
  return apart * notable > price.usd ? { ...price, serviceUsd: usd || 1n } : price
}

/** Dollars with 26 decimals, rounded down. */
function toUnits(digits: string): bigint {
  const [whole = '', fraction = ''] = digits.split('.')
  return BigInt(whole + fraction.slice(0, places).padEnd(places, '0'))
}
