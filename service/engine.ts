import type { Hex } from 'viem'
import { createChain } from './chain.ts'
import type { Address, ChainConfig } from './config.ts'
import { wrappedSource } from './pools/wrapped.ts'
import type { Ground } from './routing/candidates.ts'
import { findRoute } from './routing/find.ts'
import { createMarket, type Market } from './routing/market.ts'
import type { Route, RouteRequest } from './routing/route.ts'
import { readSnapshot, type Snapshot } from './snapshot.ts'
import { native } from './tokens.ts'

export type Block = { number: bigint; hash: Hex; timestamp: bigint; baseFeePerGas: bigint }

export type Engine = {
  /** The block all answers stand on; undefined until the first snapshot is read. Its timestamp tells how old they are. */
  block(): Block | undefined
  /**
   * What a fast transaction pays for gas at that block, in wei: twice the base fee, which lasts for six full blocks of rises
   * (EIP-1559), and the tip that was usual. 0n before the first snapshot.
   */
  gasPrice(): bigint
  /** Where liquidity comes from, WETH included. */
  sources: { id: string; title: string }[]
  /** The best route at the current block, or undefined when none exists within the limits. Same block, same answer. */
  route(request: RouteRequest): Route | undefined
  /** Whether a pool of the snapshot trades it, or it is the coin, native or wrapped. */
  trades(token: Address): boolean
  /** Resolves once the snapshot stands at the block that is newest now, or later. Rejects when it cannot be read. */
  refresh(): Promise<void>
  stop(): void
}

export type EngineOptions = {
  /** How often the node is asked for a new block. */
  pollMs?: number
  /** Told of each refresh that failed; the snapshot before it stays. */
  onFailure?: (error: unknown) => void
}

/**
 * Reads a chain's pools and answers from them, block by block, until stopped. Comes back after the first attempt to read: a node
 * that cannot be reached yet leaves `block` undefined, and is asked again.
 */
export async function createEngine(
  config: ChainConfig,
  rpcUrl: string,
  { pollMs = 250, onFailure }: EngineOptions = {},
): Promise<Engine> {
  const chain = createChain(rpcUrl, config.multicall)
  const ground: Ground = {
    wrapped: config.wrapped,
    connectors: config.connectors,
    trusted: config.tokens.filter(({ isFoT }) => !isFoT).map(({ address }) => address),
  }
  let current: { snapshot: Snapshot; market: Market } | undefined
  let stopped = false
  let timer: NodeJS.Timeout | undefined

  const refresh = oneAtATime(async () => {
    const snapshot = await readSnapshot(config, chain, current?.snapshot)
    if (snapshot !== current?.snapshot) current = { snapshot, market: createMarket(snapshot) }
  })

  async function poll(): Promise<void> {
    await refresh().catch((error: unknown) => onFailure?.(error))
    if (!stopped) timer = setTimeout(poll, pollMs)
  }
  await poll()

  return {
    block: () => current?.snapshot.block,
    gasPrice: () => (current ? 2n * current.snapshot.block.baseFeePerGas + current.snapshot.tip : 0n),
    sources: listSources(config),
    route: (request) => current && findRoute(current.market, ground, request),
    trades: (token) =>
      token === native || token === config.wrapped || (current?.market.trades(token) ?? false),
    refresh,
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}

/** Several factories may be one source. */
function listSources({ factories }: ChainConfig): { id: string; title: string }[] {
  const titles = new Map(factories.map(({ source, title }) => [source, title]))
  return [wrappedSource, ...[...titles].map(([id, title]) => ({ id, title }))]
}

/** Runs `work` once at a time. A call during a run waits for a run that begins after it; such calls share one. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  function start(): Promise<void> {
    next = undefined
    running = work().finally(() => {
      running = undefined
    })
    return running
  }

  return () => {
    if (next) return next
    if (!running) return start()
    next = running.then(start, start)
    return next
  }
}
