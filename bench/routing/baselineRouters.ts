import { createEngine, type Engine } from '../../service/engine.ts'
import type { RouteRequest } from '../../service/routing/route.ts'
import { summarize } from '../measure.ts'
import { createGivenFeed, headerAt } from '../soak/memoryFeed.ts'
import { createMixedSynthetic } from './mixedSynthetic.ts'
import { percentGrid } from './percentGrid.ts'

import { createTrades, sizes, toRouteLimits } from './trades.ts'

export type PeerFigures = Awaited<ReturnType<typeof benchPeers>>

const tradesPerSize = 60

/** Measures the loss of simpler routers, in bps of our returns, gas excluded. */
export async function benchPeers(pools: number) {
  const { config, tokens, standings } = createMixedSynthetic(pools)
  const engine = await createEngine(
    config,
    createGivenFeed({ block: headerAt(1), tip: 0n, pools: standings }),
  )
  const limits = toRouteLimits(config, 0n)
  const figures = []
  for (const usd of sizes) {
    const draw = createTrades(tokens.slice(0, config.tokens.length), limits, usd, usd + 4)
    const lost: Losses[] = []
    for (let i = 0; i < tradesPerSize; i++) {
      const one = await compare(engine, draw())
      if (one !== undefined) lost.push(one)
    }
    const sum = (of: (one: Losses) => number) => {
      const { mean, least, most } = summarize(lost.map(of))
      return { mean, least, worst: most }
    }
    figures.push({
      usd,
      trades: lost.length,
      single: sum(({ single }) => single),
      grid5: sum(({ grid5 }) => grid5),
      grid1: sum(({ grid1 }) => grid1),
    })
  }
  return figures
}

type Losses = { single: number; grid5: number; grid1: number }

async function compare(engine: Engine, request: RouteRequest): Promise<Losses | undefined> {
  const route = await engine.route(request)
  const single = await engine.route({ ...request, limits: { ...request.limits, parts: 1 } })
  if (route?.evidence === undefined || single === undefined) return undefined
  const ours = Number(route.returns)
  const lost = (returns: number) => 10_000 * (1 - returns / ours)
  const { candidates } = route.evidence
  return {
    single: lost(Number(single.returns)),
    grid5: lost(percentGrid(candidates, Number(request.amount), 20, request.limits)),
    grid1: lost(percentGrid(candidates, Number(request.amount), 100, request.limits)),
  }
}
