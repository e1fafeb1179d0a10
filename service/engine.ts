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
  /** Undefined before the first read. */
  block(): Block | undefined
  /**
   * Wei: twice the base fee, enough for six full blocks (EIP-1559), plus the usual tip; 0n before the first
   * block.
   */
  gasPrice(): bigint
  sources: { id: string; title: string }[]
  /** Returns the best route. Deterministic, unless `stop` ends the search with the best so far. */
  route(request: RouteRequest, stop?: () => boolean): Route | undefined
  /** True if a pool trades it, or it is the native or wrapped token. */
  trades(token: Address): boolean
  poolCount(): number
  checked(): Check
  /** Resolves at the current or a later block; rejects when it cannot be read. */
  refresh(): Promise<void>
  stop(): Promise<void>
}

/** Creates an engine. Resolves after the feed's first attempt. */
export async function createEngine(config: ChainConfig, feed: Feed): Promise<Engine> {
  const ground: RoutingInput = { wrapped: config.wrapped, connectors: config.connectors }
  const untaxed = config.tokens.filter(({ isFoT }) => !isFoT).map(({ address }) => address)
  const trusted = new Set([...config.connectors, ...untaxed])
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

/** Pools per turn of the event loop. */
const slice = 2_000

async function gather(pools: readonly PoolSnapshot[], trusted: ReadonlySet<Address>): Promise<PoolGraph> {
  const market = createPoolGraph(trusted)
  for (const [i, standing] of pools.entries()) {
    put(market, standing)
    if (i % slice === slice - 1) await setImmediate()
  }
  return market
}

function listSources({ factories }: ChainConfig): { id: string; title: string }[] {
  const titles = new Map(factories.map(({ source, title }) => [source, title]))
  return [wrappedSource, ...[...titles].map(([id, title]) => ({ id, title }))]
}
