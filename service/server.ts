import { createHandler, type HandlerOptions } from './app.ts'
import type { ChainConfig, TokenInfo } from './config.ts'
import { createEngine, type Engine } from './engine.ts'
import { monitorFeed } from './errorReporting.ts'
import { ServiceError } from './errors.ts'
import { createAdmission } from './http/admission.ts'
import { createClientOf } from './http/clients.ts'
import { defaultMaxConnections } from './http/connections.ts'
import { listen } from './http/listen.ts'
import { createMetrics } from './http/metrics.ts'
import { requireChain } from './indexer/chain.ts'
import { connectRpc, type Node } from './indexer/node.ts'
import { createNodeFeed, type Feed } from './indexer/nodeFeed.ts'
import { createPoolState, type PoolState } from './indexer/poolState.ts'
import type { Log } from './log.ts'
import type { CreateSearcher } from './search/searcher.ts'
import { registerSearchMetrics } from './search/searchMetrics.ts'
import { startSearchThreads } from './search/searchThreads.ts'
import { routerWarning } from './swap/routerCode.ts'
import {
  createTokens,
  findDecimalsMismatches,
  nativeTokenAddress,
  requireDecimals,
} from './tokens/registry.ts'

export type ServiceOptions = HandlerOptions & {
  config: ChainConfig
  rpcUrl: string
  port?: number
  host?: string
  /** Per process; by default from the limit of open files. */
  maxConnections?: number
  /** Requests of one client that are answered at once. */
  maxPerClient?: number
  feed?: Feed
  /** The feed's own pools, if it has them. */
  pools?: PoolState
  /** Search threads; 1 by default. */
  threads?: number
  /** Additional tokens; those with wrong decimals are skipped. */
  listed?: readonly TokenInfo[]
}

export type RunningService = { url: string; engine: Engine; stop(): Promise<void> }

/**
 * Starts the service; answers 503 NOT_READY until the first read attempt, after which this resolves. Throws
 * when the port is taken, the RPC is unreachable or on another chain, or a config token's decimals differ.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { config, listed = [], log } = options
  const { node, tokens, begin, open } = assemble(options)
  const { url, stop } = await open()
  try {
    const wrong = await prepare(config, listed, node, log)
    tokens.unlist(wrong.map(({ address }) => address))
    return { url, engine: await begin(), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Verifies the RPC; returns listed tokens with wrong decimals. */
async function prepare(
  config: ChainConfig,
  listed: readonly TokenInfo[],
  node: Node,
  log: Log | undefined,
): Promise<TokenInfo[]> {
  requireChain(config, await node.getChainId())
  const [faults, advice] = await Promise.all([
    findDecimalsMismatches(config, listed, node),
    routerWarning(config, node),
    requireDecimals(config, node),
  ])
  if (faults.length > 0) log?.warn({ faults: faults.map(({ fault }) => fault) }, 'listed tokens are left out')
  if (advice !== undefined) log?.warn(advice)
  return faults.map(({ token }) => token)
}

function assemble(options: ServiceOptions) {
  const { config, listed = [], rpcUrl, port = 0, host = '127.0.0.1', metrics = createMetrics() } = options
  const { log, threads = 1, pools = createPoolState() } = options
  const monitored = { ...monitorFeed(log, metrics, options.report), ledger: pools }
  const { feed = createNodeFeed(config, rpcUrl, monitored) } = options
  const node = connectRpc(rpcUrl)
  const tokens = createTokens({ ...config, tokens: [...listed, ...config.tokens] }, node)
  let engine: Engine | undefined
  const service = {
    config,
    node,
    tokens,
    // One more than run, so that no thread waits for the event loop.
    searchesAtOnce: threads + 1,
    engine() {
      if (engine?.block() === undefined) throw new ServiceError('NOT_READY', 'the pools are still being read')
      return engine
    },
  }
  return {
    node,
    tokens,
    async begin(): Promise<Engine> {
      const known = [...tokens.listed.values()].filter(({ address }) => address !== nativeTokenAddress)
      const createSearcher: CreateSearcher = async (store, input) => {
        const searcher = await startSearchThreads(store, input, { count: threads, log })
        registerSearchMetrics(metrics, searcher)
        return searcher
      }
      engine = await createEngine({ ...config, tokens: known }, feed, { pools, createSearcher })
      return engine
    },
    async open() {
      const { maxConnections = defaultMaxConnections(), proxies = 0, keys, maxPerClient, log } = options
      const admission = createAdmission({
        clientOf: createClientOf(keys, proxies),
        limits: { open: maxConnections, ...(maxPerClient === undefined ? {} : { perClient: maxPerClient }) },
        onRefusal: () => metrics.rateLimited.inc(),
        hasCors: options.hasCors,
        log,
      })
      const socket = await listen(createHandler(service, { ...options, metrics }), {
        port,
        host,
        isBehindProxies: proxies > 0,
        maxConnections,
        admission,
      })
      return {
        url: `http://${host.includes(':') ? `[${host}]` : host}:${socket.port}`,
        async stop() {
          await socket.stop()
          await (engine ?? feed).stop()
        },
      }
    },
  }
}
