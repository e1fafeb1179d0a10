import type { Localnet } from '../../../dev/localnet.ts'
import { findToken, type TokenSymbol, unitsForUsd } from '../../../dev/pools/tokens.ts'
import type { Address } from '../../../service/config.ts'
import type { RouteRequest } from '../../../service/routing/route.ts'
import type { RouteLimits } from '../../../service/routing/routeLimits.ts'
import { nativeTokenAddress } from '../../../service/tokens/registry.ts'

/** API defaults at a gas price of 0. */
export const freely: RouteLimits = {
  complexityLevel: 2,
  parts: 50,
  mainRouteParts: 10,
  connectorCount: Number.POSITIVE_INFINITY,
  sources: new Set([
    ...['WETH', 'UNISWAP_V2', 'SUSHI', 'UNISWAP_V3', 'BALANCER_V2_WEIGHTED', 'BALANCER_V2_STABLE'],
    'AERODROME_V2',
    'BALANCER_V3_WEIGHTED',
    'BALANCER_V3_STABLE',
    'CURVE',
    'CURVE_V1_FACTORY',
    'CURVE_STABLE_NG',
    'PANCAKESWAP_STABLE',
    'UNISWAP_V4',
    'ALGEBRA',
    'AERODROME_SLIPSTREAM',
    'BALANCER_V2_COMPOSABLE_STABLE',
    ...['SAVINGS_DAI', 'LIDO_WSTETH', 'MAKER_PSM'],
  ]),
  gasPrice: 0n,
  gasLimit: 11_500_000n,
  apart: false,
}

export type Coin = TokenSymbol | 'ETH'

export function addressOf(localnet: Localnet, coin: Coin): Address {
  return coin === 'ETH' ? nativeTokenAddress : localnet.tokens[coin]
}

export function tradeOf(
  localnet: Localnet,
  sell: Coin,
  buy: Coin,
  usd: number,
  limits: Partial<RouteLimits> = {},
): RouteRequest {
  const amount = unitsForUsd(findToken(sell === 'ETH' ? 'WETH' : sell), Math.ceil(usd * 1e6)) / 1_000_000n
  return {
    sell: addressOf(localnet, sell),
    buy: addressOf(localnet, buy),
    amount: amount > 0n ? amount : 1n,
    limits: { ...freely, ...limits },
  }
}
