import { setImmediate } from 'node:timers/promises'
import type { Hex } from 'viem'
import type { Address, ChainConfig } from './config.ts'
import type { Header } from './indexer/chain.ts'
import type { Feed } from './indexer/nodeFeed.ts'
import type { Check } from './indexer/polling.ts'
import type { PoolSnapshot } from './pools/poolType.ts'
import { toPool } from './pools/registry.ts'
import { wrappedSource } from './pools/wrappedNative.ts'
import type { RoutingInput } from './routing/candidates.ts'
import { findRoute } from './routing/findRoute.ts'
import { createPoolGraph, type PoolGraph } from './routing/market.ts'
import type { Route, RouteRequest } from './routing/route.ts'
import { nativeTokenAddress } from './tokens/registry.ts'

export type Block = { number: bigint; hash: Hex; timestamp: bigint; baseFeePerGas: bigint }

export type Engine = {
  /** The block all answers stand on; undefined until the pools were first read. Its timestamp tells how old they are. */
  block(): Block | undefined
  /**
   * What a fast transaction pays for gas at that block, in wei: twice the base fee, which lasts for six full blocks of rises
   * (EIP-1559), and the tip that was usual. 0n before there is one.
   */
  gasPrice(): bigint
  /** Where liquidity comes from, WETH included. */
  sources: { id: string; title: string }[]
  /**
   * The best route at the current block, or undefined when none exists within the limits. Same block, same answer; but once `stop`
   * says true, the best that was found until then.
   */
  route(request: RouteRequest, stop?: () => boolean): Route | undefined
  /** Whether a pool trades it, or it is the coin, native or wrapped. */
  trades(token: Address): boolean
  /** How many pools are known. */
  poolCount(): number
  /** When the node last said that the block is its newest. */
  checked(): Check
  /** Resolves once it stands at the block that is newest now, or later. Rejects when it cannot be read. */
  refresh(): Promise<void>
  stop(): Promise<void>
}

/** Answers from the pools that `feed` brings, block by block, until stopped. Comes back after the feed's first attempt. */
export async function createEngine(config: ChainConfig, feed: Feed): Promise<Engine> {
  const ground: RoutingInput = { wrapped: config.wrapped, connectors: config.connectors }
  const trusted = new Set(config.tokens.filter(({ isFoT }) => !isFoT).map(({ address }) => address))
  let current: { block: Header; tip: bigint; market: PoolGraph } | undefined

  await feed.start(async ({ after, block, tip, pools }) => {
    const market = after === undefined ? undefined : current?.market
    if (market) for (const standing of pools) put(market, standing)
    current = { block, tip, market: market ?? (await gather(pools, trusted)) }
  })

  return {
    block: () => current?.block,
    gasPrice: () => (current ? 2n * current.block.baseFeePerGas + current.tip : 0n),
    sources: listSources(config),
    route: (request, stop) => current && findRoute(current.market, ground, request, stop),
    trades: (token) =>
      token === nativeTokenAddress || token === config.wrapped || (current?.market.trades(token) ?? false),
    poolCount: () => current?.market.size() ?? 0,
    checked: feed.checked,
    refresh: feed.refresh,
    stop: feed.stop,
  }
}

function put(market: PoolGraph, standing: PoolSnapshot): void {
  const { address, tokens } = standing.listing
  market.put(address, tokens, () => toPool(standing))
}

/** Pools that are taken in before others get a turn, so that no answer waits for a whole chain's. */
const slice = 2_000

async function gather(pools: readonly PoolSnapshot[], trusted: ReadonlySet<Address>): Promise<PoolGraph> {
  const market = createPoolGraph(trusted)
  for (const [i, standing] of pools.entries()) {
    put(market, standing)
    if (i % slice === slice - 1) await setImmediate()
  }
  return market
}

/** Several factories may be one source. */
function listSources({ factories }: ChainConfig): { id: string; title: string }[] {
  const titles = new Map(factories.map(({ source, title }) => [source, title]))
  return [wrappedSource, ...[...titles].map(([id, title]) => ({ id, title }))]
}
