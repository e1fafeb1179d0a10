import type { Address, ChainConfig } from '../service/config.ts'
import { wrappedSource } from '../service/pools/wrappedNative.ts'
import type { RouteLimits, RouteRequest } from '../service/routing/route.ts'
import { createRandom } from './random.ts'

/** The sizes at which everything is measured, in dollars. */
export const sizes = [1_000, 10_000, 100_000, 1_000_000] as const

/** What a trade needs to know of a token. */
export type Priced = { address: Address; decimals: number; usd: number }

/** The interface's defaults, over all sources of the chain. */
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

/** `usd` dollars' worth of a token, in its base units. */
export function toAmount({ decimals, usd: price }: Priced, usd: number): bigint {
  return BigInt(Math.max(1, Math.round((usd / price) * 10 ** decimals)))
}

/** The same with room for any number of pieces and connectors. */
export function unlimited(limits: RouteLimits): RouteLimits {
  return { ...limits, parts: 1_000, mainRouteParts: 1_000, connectorCount: 1_000, gasLimit: 1_000_000_000n }
}

/**
 * Trades of `usd` dollars between tokens that come in the order of their fame. Half of all draws are from the most famous eighth;
 * the same seed draws the same trades.
 */
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
