import type { Hex } from 'viem'
import type { Address, ChainConfig } from './config.ts'
import { ServiceError } from './errors.ts'
import type { Feed } from './indexer/nodeFeed.ts'
import type { Check } from './indexer/polling.ts'
import { createPoolState, type PoolState } from './indexer/poolState.ts'
import { wrappedSource } from './pools/wrappedNative.ts'
import { createGraph } from './routing/market.ts'
import type { RouteRequest } from './routing/route.ts'
import {
  type CreateSearcher,
  createLocalSearcher,
  type FoundRoute,
  type SearchOptions,
} from './search/searcher.ts'
import { createSharedStorage } from './snapshot/sharedStorage.ts'
import { computePrices, type PricedToken, type Prices } from './tokens/midPrices.ts'
import { nativeTokenAddress } from './tokens/registry.ts'

export type Block = { number: bigint; hash: Hex; timestamp: bigint; baseFeePerGas: bigint }

export type BlockRoute = FoundRoute & { block: Block }

export type Engine = {
  /** Undefined before the first read. */
  block(): Block | undefined
  /**
   * Wei: twice the base fee, enough for six full blocks (EIP-1559), plus the usual tip; 0n before the first
   * block.
   */
  gasPrice(): bigint
  sources: { id: string; title: string }[]
  /** Returns the best route at the present block. Deterministic, unless the time runs out. */
  route(request: RouteRequest, options?: SearchOptions): Promise<BlockRoute | undefined>
  /**
   * Resolves when the pools of the tokens are known, with the tokens that have no code: those of an unlisted
   * token are read on demand where not all are followed. Throws NOT_READY when they cannot be read.
   */
  ensure(tokens: readonly Address[]): Promise<Address[]>
  /** True if a pool trades it, or it is the native or wrapped token. */
  trades(token: Address): boolean
  /** Returns mid prices at the present block, of the tokens that have one. */
  prices(tokens: readonly PricedToken[]): Promise<Prices>
  poolCount(): number
  checked(): Check
  /** Resolves at the current or a later block; rejects when it cannot be read. */
  refresh(): Promise<void>
  stop(): Promise<void>
}

export type EngineOptions = {
  /** The feed's own pools, if it has them: they are then held once. */
  pools?: PoolState
  /** By default in this thread. */
  createSearcher?: CreateSearcher
}

/** Creates an engine. Resolves after the feed's first attempt. */
export async function createEngine(
  config: ChainConfig,
  feed: Feed,
  { pools = createPoolState(), createSearcher = createLocalSearcher }: EngineOptions = {},
): Promise<Engine> {
  const { store } = pools
  const untaxed = config.tokens.filter(({ isFoT }) => !isFoT).map(({ address }) => address)
  const trusted = new Set([...config.connectors, ...untaxed])
  const { wrapped, connectors } = config
  const starting = Promise.resolve(createSearcher(store, { wrapped, connectors, trusted }))
  // For `trades` only, which looks at a pair or two.
  const storage = createSharedStorage(store.tables, store.slots, () => 1e6)
  const graph = createGraph(storage, trusted)

  const [searcher] = await Promise.all([starting, feed.start(pools.adopt)]).catch(async (error) => {
    await starting.then(({ stop }) => stop()).catch(() => undefined)
    throw error
  })

  return {
    block: pools.block,
    gasPrice: () => 2n * (pools.block()?.baseFeePerGas ?? 0n) + (pools.tip() ?? 0n),
    sources: listSources(config),

    async route(request, options = {}) {
      const block = pools.block()
      if (block === undefined) return undefined
      const version = store.pin()
      try {
        const limits = { ...request.limits, l1ByteFee: pools.l1ByteFee() ?? 0n }
        const found = await searcher.search(version, { ...request, limits }, options)
        return found && { ...found, block }
      } finally {
        store.release(version)
      }
    },

    async ensure(tokens) {
      if (feed.ensure === undefined || config.pools !== 'listed') return []
      const held = tokens.map((token) => (token === nativeTokenAddress ? wrapped : token))
      return feed.ensure(held).catch((cause: unknown) => {
        const text = 'the pools of these tokens could not be read yet'
        throw new ServiceError('NOT_READY', text, null, { cause })
      })
    },

    trades(token) {
      if (token === nativeTokenAddress || token === wrapped) return true
      storage.open(store.version())
      return graph.trades(token)
    },

    async prices(tokens) {
      const version = store.pin()
      const offers = (sell: Address, buy: Address) => {
        // Other versions are opened between two slices.
        storage.open(version)
        return graph.offers(sell, buy)
      }
      try {
        return await computePrices({ tokens, offers, connectors, stables: config.stables ?? [] })
      } finally {
        store.release(version)
      }
    },

    poolCount: () => store.version().size,
    checked: feed.checked,
    refresh: feed.refresh,
    async stop() {
      await Promise.all([feed.stop(), searcher.stop()])
    },
  }
}

function listSources({ factories }: ChainConfig): { id: string; title: string }[] {
  const titles = new Map(factories.map(({ source, title }) => [source, title]))
  return [wrappedSource, ...[...titles].map(([id, title]) => ({ id, title }))]
}
