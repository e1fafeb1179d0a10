import type { Localnet } from '../../dev/localnet.ts'
import type { Address, ChainConfig } from '../../service/config.ts'
import { createEngine } from '../../service/engine.ts'
import { createNodeFeed } from '../../service/indexer/nodeFeed.ts'
import { createPoolState } from '../../service/indexer/poolState.ts'
import { startTripCounter } from '../../tests/helpers/node/tripCounter.ts'

export type DiscoveryFigures = {
  title: string
  delayMs: number
  runs: number
  requests: number
  /** Dependent requests. */
  trips: number
  /** From the request until the pools are known. */
  ms: { median: number; longest: number }
  pools: number
}

/** Delay of the RPC, ms. */
const delayMs = 60
const runs = 20

/** Measures how long unlisted tokens take to be found, each time by a service that has just been started. */
export async function benchDiscovery(localnet: Localnet): Promise<DiscoveryFigures[]> {
  const { tokens, config } = localnet
  /** Lists the connectors without `unlisted`. */
  const without = (unlisted: Address): ChainConfig => {
    const connectors = config.connectors.filter((token) => token !== unlisted)
    const listed = new Set([...connectors, config.wrapped])
    const few = config.tokens.filter(({ address }) => listed.has(address))
    return { ...config, pools: 'listed', connectors, tokens: few }
  }
  const counter = await startTripCounter(localnet.rpcUrl, delayMs)
  const cases = {
    'an unlisted token against a listed one': [tokens.LINK, tokens.USDC],
    'two unlisted tokens': [tokens.BROOK, tokens.LINK],
    'USDC, not listed, with Curve pools too': [tokens.USDC, tokens.DAI],
    'a token without a pool': [localnet.contracts.v2Router, tokens.USDC],
    'a known unlisted token': [tokens.LINK, tokens.DAI],
  } as const
  const figures: DiscoveryFigures[] = []
  for (const [title, ends] of Object.entries(cases)) {
    const few = without(ends[0])
    const times: number[] = []
    let last = { requests: 0, trips: 0, pools: 0 }
    for (let run = 0; run < runs; run++) {
      const pools = createPoolState()
      const feed = createNodeFeed(few, counter.url, { pollMs: 3_600_000, ledger: pools })
      const engine = await createEngine(few, feed, { pools })
      if (title.includes('known')) await engine.ensure([ends[0]])
      const before = engine.poolCount()
      counter.take()
      const started = performance.now()
      await engine.ensure(ends)
      times.push(performance.now() - started)
      last = { ...counter.take(), pools: engine.poolCount() - before }
      await engine.stop()
    }
    const sorted = times.sort((a, b) => a - b)
    const ms = { median: sorted[runs >> 1] as number, longest: sorted.at(-1) as number }
    figures.push({ title, delayMs, runs, ...last, ms })
  }
  await counter.stop()
  return figures
}
