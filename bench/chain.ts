import { createEngine } from '../service/engine.ts'
import type { PoolSnapshot } from '../service/pools/poolType.ts'
import { heapMb, measurePause, spend } from './measure.ts'
import { compareWithBound } from './routing/bound.ts'
import { createMarketBound } from './routing/marketBound.ts'
import { createMixedSynthetic } from './routing/mixedSynthetic.ts'
import { changePool, type Synthetic } from './routing/synthetic.ts'
import { createTrades, sizes, toRouteLimits } from './routing/trades.ts'
import { createGivenFeed, type GivenFeed, headerAt } from './soak/memoryFeed.ts'
import { summarise } from './stats.ts'

export type ChainFigures = Awaited<ReturnType<typeof benchChain>>

const gasPrice = 10_000_000_000n
const quotesPerSize = 250
const boundsPerSize = 150
const updates = 10
const changedPools = 1_000

/** `bounded`: the sizes of trades compared with their bounds, in dollars. */
export async function benchChain(pools: number, bounded: readonly number[] = sizes) {
  const before = heapMb()
  const { engine, feed, chain, busiest, startMs } = await begin(pools)
  const heapAtStartMb = heapMb() - before
  const tokens = chain.tokens.slice(0, chain.config.tokens.length)

  const trades = (usd: number, price: bigint, seed: number) =>
    createTrades(tokens, toRouteLimits(chain.config, price), usd, seed)
  const warmUp = sizes.map((usd) => trades(usd, gasPrice, usd + 1))
  for (let run = 0; run < 200; run++) await engine.route(warmUp[run % sizes.length]!())

  const draws = sizes.map((usd) => trades(usd, gasPrice, usd + 2))
  let without = 0
  const quotes = await spend(quotesPerSize * sizes.length, async (run) => {
    if ((await engine.route(draws[run % sizes.length]!())) === undefined) without++
  })
  const heapAfterQuotesMb = heapMb() - before

  const boundOf = createMarketBound(createMixedSynthetic(pools).standings, tokens)
  const toBound: ({ usd: number } & Awaited<ReturnType<typeof compareWithBound>>)[] = []
  for (const usd of bounded) {
    const draws = Array.from({ length: boundsPerSize }, trades(usd, 0n, usd + 3))
    toBound.push({ usd, ...(await compareWithBound(engine, draws, boundOf)) })
  }
  return {
    pools: engine.poolCount(),
    startMs,
    heapAtStartMb,
    heapAfterQuotesMb,
    quotes: { ...quotes, perCoreSecond: (1_000 * quotes.wall.runs) / quotes.cpuTotalMs, without },
    toBound,
    update: await benchUpdate(feed, busiest),
  }
}

/** Separate, so that only the engine retains the pools. */
async function begin(pools: number) {
  const { config, tokens, standings } = createMixedSynthetic(pools)
  const chain: Omit<Synthetic, 'standings'> = { config, tokens }
  const feed = createGivenFeed({ block: headerAt(1), tip: 0n, pools: standings })
  const started = performance.now()
  const engine = await createEngine(config, feed)
  const startMs = performance.now() - started
  return { engine, feed, chain, startMs, busiest: standings.slice(0, changedPools) }
}

async function benchUpdate(feed: GivenFeed, busiest: readonly PoolSnapshot[]) {
  const took: number[] = []
  const pauses: number[] = []
  let changed = busiest
  for (let number = 2; number < 2 + updates; number++) {
    changed = changed.map(changePool)
    const update = { after: headerAt(number - 1).hash, block: headerAt(number), tip: 0n, pools: changed }
    const { tookMs, pauseMs } = await measurePause(() => feed.hand(update))
    took.push(tookMs)
    pauses.push(pauseMs)
  }
  return { pools: changed.length, took: summarise(took), longestPauseMs: Math.max(...pauses) }
}
