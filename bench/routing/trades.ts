import type { Address, ChainConfig } from '../../service/config.ts'
import { wrappedSource } from '../../service/pools/wrappedNative.ts'
import type { RouteRequest } from '../../service/routing/route.ts'
import type { RouteLimits } from '../../service/routing/routeLimits.ts'
import { createRandom } from '../random.ts'

/** Dollars. */
export const sizes = [1_000, 10_000, 100_000, 1_000_000] as const

export type Priced = { address: Address; decimals: number; usd: number }

/** Returns the API's defaults with all sources. */
export function toRouteLimits({ factories }: ChainConfig, gasPrice: bigint): RouteLimits {
  return {
    complexityLevel: 2,
    parts: 50,
    mainRouteParts: 10,
    connectorCount: Number.POSITIVE_INFINITY,
    sources: new Set([wrappedSource.id, ...factories.map(({ source }) => source)]),
    gasPrice,
    gasLimit: 11_500_000n,
    apart: false,
  }
}

export function toAmount({ decimals, usd: price }: Priced, usd: number): bigint {
  return BigInt(Math.max(1, Math.round((usd / price) * 10 ** decimals)))
}

/** Removes the limits on parts and connectors. */
export function unlimited(limits: RouteLimits): RouteLimits {
  return { ...limits, parts: 1_000, mainRouteParts: 1_000, connectorCount: 1_000, gasLimit: 1_000_000_000n }
}

/** Seeded; half of all draws are from the first eighth of the tokens. */
export function createTrades(tokens: readonly Priced[], limits: RouteLimits, usd: number, seed: number) {
  const random = createRandom(seed)
  const draw = () => tokens[Math.floor(tokens.length * random.between(0, 1) ** 3)] as Priced
  return (): RouteRequest => {
    const sell = draw()
    let buy = draw()
    while (buy === sell) buy = draw()
    return { sell: sell.address, buy: buy.address, amount: toAmount(sell, usd), limits }
  }
}
