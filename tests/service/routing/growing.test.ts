import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSynthetic } from '../../../bench/routing/synthetic.ts'
import { createTrades, toRouteLimits } from '../../../bench/routing/trades.ts'
import type { Pool } from '../../../service/pools/pool.ts'
import { toPool } from '../../../service/pools/registry.ts'
import { findRoute } from '../../../service/routing/findRoute.ts'
import { createPoolGraph } from '../../../service/routing/market.ts'
import { nativePrice } from '../../../service/routing/nativePrice.ts'
import {
  buy,
  ground,
  marketOf,
  mid,
  requestOf,
  sell,
  v2Pool,
  v3Pool,
} from '../../helpers/service/randomPools.ts'
import { slow } from '../../helpers/slow.ts'
import { build, plans, weightedOf } from './mixed.ts'

slow('Amounts grow over many trades.')

/** Largest relative drop of returns as amounts grow. */
function worstFall(pools: readonly Pool[], amounts: readonly bigint[]): number {
  const market = marketOf(pools)
  let most = 0n
  let worst = 0
  for (const amount of amounts) {
    const returns = findRoute(market, ground, requestOf(amount))?.returns
    if (returns === undefined) break
    if (returns < most) worst = Math.max(worst, 1 - Number(returns) / Number(most))
    else most = returns
  }
  return worst
}

function growing(from: number, to: number, factor: number): bigint[] {
  const count = Math.floor(Math.log(to / from) / Math.log(factor))
  return Array.from({ length: count + 1 }, (_, i) => BigInt(Math.round(from * factor ** i)))
}

describe('findRoute: growing amounts', () => {
  it('keeps a pool of limited capacity when its share of the amount becomes tiny', () => {
    const half = 5n * 10n ** 17n
    const pools = [
      v2Pool({ tokens: [0, 1], reserves: [1e21, 1e21], feePpm: 3_000 }, 0),
      v2Pool({ tokens: [0, 1], reserves: [2e21, 2e21], feePpm: 3_000 }, 1),
      // Sells at most 30% of its balance.
      weightedOf([sell, buy], [3n * 10n ** 20n, 3n * 10n ** 20n], [half, half], 3n * 10n ** 15n, 2),
    ]
    // Weights are millionths, so its share is rounded by up to 1%.
    expect(worstFall(pools, growing(1e18, 1e24, 1.3))).toBeLessThan(3e-4)
    const large = findRoute(marketOf(pools), ground, requestOf(2n * 10n ** 24n))!
    expect(large.edges.length).toBe(3)
  })

  it('loses almost no return when a pool behind others is full', () => {
    const half = 5n * 10n ** 17n
    const limited = weightedOf([buy, mid].sort(), [10n ** 23n, 10n ** 23n], [half, half], 3n * 10n ** 15n, 2)
    for (const pools of [
      // A shallow pool in front.
      [
        v2Pool({ tokens: [0, 2], reserves: [1e24, 1e24], feePpm: 3_000 }, 0),
        v2Pool({ tokens: [0, 2], reserves: [1e22, 1e22], feePpm: 3_000 }, 1),
        limited,
      ],
      // A shallow pool beside it.
      [
        v2Pool({ tokens: [0, 2], reserves: [1e24, 1e24], feePpm: 3_000 }, 0),
        v2Pool({ tokens: [0, 1], reserves: [1e22, 1e22], feePpm: 3_000 }, 1),
        limited,
      ],
    ]) {
      expect(worstFall(pools, growing(1e22, 1e24, 1.05))).toBeLessThan(3e-5)
      expect(findRoute(marketOf(pools), ground, requestOf(10n ** 24n))).toBeDefined()
    }
  })

  it('keeps filling the best pools when only a path through one of them takes the rest', () => {
    const positions = [{ below: 2_000, above: 2_000, liquidity: 1e24 }]
    const pools = [
      v3Pool({ tokens: [0, 1], tick: 0, positions, feePpm: 500 }, 0),
      v2Pool({ tokens: [0, 2], reserves: [1e22, 1e22], feePpm: 3_000 }, 1),
      // Pays best from token 0, but is the only large buyer of token 2 too.
      weightedOf(
        [sell, buy, mid],
        [5n * 10n ** 22n, 225n * 10n ** 21n, 225n * 10n ** 21n],
        [10n ** 17n, 45n * 10n ** 16n, 45n * 10n ** 16n],
        10n ** 15n,
        2,
      ),
      weightedOf([buy, mid], [10n ** 21n, 10n ** 21n], [5n * 10n ** 17n, 5n * 10n ** 17n], 10n ** 15n, 3),
    ]
    const most = pools[0]!.curve(sell, buy).capacity
    expect(worstFall(pools, growing(most / 10, most * 20, 1.2))).toBeLessThan(0.02)
    const large = findRoute(marketOf(pools), ground, requestOf(BigInt(Math.round(most * 5))))!
    expect(large.edges.map(({ pool }) => pool)).toContain(pools[0])
  })

  it('never returns less for more, in pools of few ticks too', () => {
    let routes = 0
    const grown = fc.record({
      planned: plans({
        kinds: [
          ...(['v2', 'v3', 'weighted', 'volatile', 'stable', 'weightedV3', 'stableV3'] as const),
          ...(['curve', 'algebra', 'converter', 'v4', 'slipstream', 'composable', 'pancake'] as const),
        ],
        fewest: 3,
        most: 12,
      }),
      first: fc.double({ min: 16, max: 19.5, noNaN: true }),
      factor: fc.double({ min: 1.001, max: 1.4, noNaN: true }),
    })
    fc.assert(
      fc.property(grown, ({ planned, first, factor }) => {
        const market = marketOf(build(planned))
        let most = 0n
        for (let step = 0; step < 8; step++) {
          const amount = BigInt(Math.round(10 ** first * factor ** step))
          const returns = findRoute(market, ground, requestOf(amount))?.returns
          if (returns === undefined) break
          routes++
          expect(returns).toBeGreaterThanOrEqual(most)
          most = returns
        }
      }),
      { numRuns: 60, seed: 5 },
    )
    expect(routes).toBeGreaterThan(200)
  })

  it('never returns less for more in a market of 1,000 pools, and never less after gas', () => {
    const { config, tokens, standings } = createSynthetic(1_000)
    const market = createPoolGraph(new Set(config.tokens.map(({ address }) => address)))
    for (const standing of standings) {
      market.put(standing.listing.address, standing.listing.tokens, () => toPool(standing))
    }
    const chain = { wrapped: config.wrapped, connectors: config.connectors }
    for (const gasPrice of [0n, 10n ** 10n]) {
      const draw = createTrades(
        tokens.slice(0, config.tokens.length),
        toRouteLimits(config, gasPrice),
        100,
        77,
      )
      for (let trade = 0; trade < 8; trade++) {
        const request = draw()
        const gasWorth = Number(gasPrice) * nativePrice(market, chain, request.buy)
        let most = Number.NEGATIVE_INFINITY
        for (let amount = Number(request.amount); amount < Number(request.amount) * 30_000; amount *= 1.4) {
          const route = findRoute(market, chain, { ...request, amount: BigInt(Math.round(amount)) })
          if (route === undefined) break
          const net = Number(route.returns) - Number(route.gas) * gasWorth
          expect(net).toBeGreaterThanOrEqual(most)
          most = net
        }
      }
    }
  })
})
