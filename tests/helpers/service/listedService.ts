import type { Localnet } from '../../../dev/localnet.ts'
import type { TokenSymbol } from '../../../dev/pools/tokens.ts'
import { createHandler } from '../../../service/app.ts'
import type { ChainConfig, Factory } from '../../../service/config.ts'
import { createEngine } from '../../../service/engine.ts'
import { connectRpc } from '../../../service/indexer/node.ts'
import { createNodeFeed, type Feed, type FeedOptions } from '../../../service/indexer/nodeFeed.ts'
import { createPoolState, type PoolState } from '../../../service/indexer/poolState.ts'
import { createTokens } from '../../../service/tokens/registry.ts'
import type { Answer, Query } from './runService.ts'
import { withTime } from './unhurriedService.ts'

/** The localnet's config with a list of `symbols`, by default the connectors. */
export function listTokens(
  { config, tokens }: Localnet,
  symbols: readonly TokenSymbol[] = ['WETH', 'USDC', 'USDT', 'DAI', 'WBTC'],
): ChainConfig {
  const listed = new Set(symbols.map((symbol) => tokens[symbol]))
  return {
    ...config,
    pools: 'listed',
    connectors: config.connectors.filter((token) => listed.has(token)),
    tokens: config.tokens.filter(({ address }) => listed.has(address)),
  }
}

/** Without the pools that are read in every block. */
export function withoutRestless(config: ChainConfig): ChainConfig {
  const isRestless = ({ kind, source }: Factory) => kind === 'converter' || source.includes('COMPOSABLE')
  return { ...config, factories: config.factories.filter((factory) => !isRestless(factory)) }
}

export type ListedService = Awaited<ReturnType<typeof startListed>>

/** Starts an engine of a token list, which reads the chain only when told, and a handler without a socket. */
export async function startListed(
  config: ChainConfig,
  rpcUrl: string,
  { pools = createPoolState(), feed, ...options }: FeedOptions & { pools?: PoolState; feed?: Feed } = {},
) {
  const given = feed ?? createNodeFeed(config, rpcUrl, { pollMs: 3_600_000, ...options, ledger: pools })
  const engine = await createEngine(config, given, { pools })
  const node = connectRpc(rpcUrl)
  const handler = createHandler(
    { config, node, tokens: createTokens(config, node), engine: () => engine },
    withTime,
  )

  return {
    engine,
    pools,
    feed: given,
    async ask(operation: string, query: Query): Promise<Answer> {
      const named = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
      const url = `http://service/v6.1/${config.chainId}/${operation}?${new URLSearchParams(named)}`
      const response = await handler(new Request(url))
      return { status: response.status, headers: response.headers, body: await response.json() }
    },
    stop: () => engine.stop(),
  }
}
