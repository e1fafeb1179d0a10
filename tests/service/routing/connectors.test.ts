import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSynthetic } from '../../../bench/routing/synthetic.ts'
import { createTrades, sizes, toRouteLimits } from '../../../bench/routing/trades.ts'
import { toPool } from '../../../service/pools/registry.ts'
import { findRoute } from '../../../service/routing/findRoute.ts'
import { createPoolGraph } from '../../../service/routing/market.ts'
import { certify } from '../../../service/routing/optimizer/certificate.ts'
import type { Route } from '../../../service/routing/route.ts'
import { buy, ground, marketOf, requestOf, sell, tokenAt, v2Pool } from '../../helpers/service/randomPools.ts'
import { runBranches } from './byHand.ts'
import { build, plans } from './mixed.ts'

/** Tokens 0, 2, 3, … in a row, then 1, the bought token. */
function chainOf(connectors: number) {
  const row = [0, ...Array.from({ length: connectors }, (_, i) => i + 2), 1]
  return row.slice(1).map((to, i) => {
    const tokens = [row[i]!, to].sort((a, b) => a - b) as [number, number]
    return v2Pool({ tokens, reserves: [1e24, 1e24], feePpm: 3_000 }, i)
  })
}

describe('routes through several connector tokens', () => {
  it.each([3, 4, 5])('goes through %i connector tokens in a row when no other path exists', (connectors) => {
    const named = Array.from({ length: connectors }, (_, i) => tokenAt(i + 2))
    const market = marketOf(chainOf(connectors))
    const route = findRoute(market, ground, requestOf(10n ** 18n, { connectors: named }))
    expect(route?.tokens).toEqual([sell, ...named, buy])
    expect(runBranches(route!)).toBe(route!.returns)
    for (const complexityLevel of [0, 1]) {
      const limits = { connectors: named, complexityLevel }
      expect(findRoute(market, ground, requestOf(10n ** 18n, limits))).toBeUndefined()
    }
    const fewer = { connectors: named, connectorCount: connectors - 1 }
    expect(findRoute(market, ground, requestOf(10n ** 18n, fewer))).toBeUndefined()
  })

  it('goes through three default connector tokens and a trusted token in one path', () => {
    const market = marketOf(chainOf(4), [tokenAt(5)])
    expect(findRoute(market, ground, requestOf(10n ** 18n))?.tokens.length).toBe(6)
  })

  it('stays acyclic when a cycle of pools would pay', () => {
    // Each pool of the cycle 2 → 3 → 4 → 2 pays 2% too much.
    const pools = [
      v2Pool({ tokens: [0, 2], reserves: [1e24, 1e24], feePpm: 3_000 }, 0),
      v2Pool({ tokens: [2, 3], reserves: [1e24, 1.02e24], feePpm: 3_000 }, 1),
      v2Pool({ tokens: [3, 4], reserves: [1e24, 1.02e24], feePpm: 3_000 }, 2),
      v2Pool({ tokens: [2, 4], reserves: [1.02e24, 1e24], feePpm: 3_000 }, 3),
      v2Pool({ tokens: [1, 2], reserves: [1e24, 1e24], feePpm: 3_000 }, 4),
      v2Pool({ tokens: [1, 4], reserves: [1e24, 1e24], feePpm: 3_000 }, 5),
    ]
    for (const sold of [10n ** 15n, 10n ** 21n, 10n ** 23n]) {
      const route = findRoute(marketOf(pools), ground, requestOf(sold))!
      expect(route.edges.every(({ from, to }) => to > from)).toBe(true)
      expect(runBranches(route)).toBe(route.returns)
      // 2 → 3 → 4 → 1 pays 4% more than 2 → 1, less two fees.
      expect(route.tokens).toContain(tokenAt(3))
    }
  })

  it('comes within a ten-thousandth of the upper bound on average, over a thousand pools', () => {
    const { config, tokens, standings } = createSynthetic(1_000)
    const market = createPoolGraph(new Set(config.tokens.map(({ address }) => address)))
    for (const standing of standings) {
      market.put(standing.listing.address, standing.listing.tokens, () => toPool(standing))
    }
    const chain = { wrapped: config.wrapped, connectors: config.connectors }
    const parts: number[] = []
    const most = { connectors: 0, hops: 0 }
    for (const usd of sizes) {
      const draw = createTrades(
        tokens.slice(0, config.tokens.length),
        toRouteLimits(config, 0n),
        usd,
        usd + 3,
      )
      for (let trade = 0; trade < 40; trade++) {
        const route = findRoute(market, chain, draw())
        if (route === undefined) continue
        parts.push(Number(route.returns) / Number(certify(route).upper))
        most.connectors = Math.max(most.connectors, route.tokens.length - 2)
        most.hops = Math.max(most.hops, longestWay(route))
      }
    }
    const mean = parts.reduce((sum, part) => sum + part, 0) / parts.length
    console.log(`${parts.length} trades: mean ${mean}, worst ${Math.min(...parts)}; ${JSON.stringify(most)}`)
    expect(parts.length).toBeGreaterThan(150)
    expect(mean).toBeGreaterThan(0.9999)
    expect(Math.min(...parts)).toBeGreaterThan(0.999)
    expect(most.connectors).toBeGreaterThan(5)
    expect(most.hops).toBeGreaterThan(3)
  })

  it('returns no less, to a millionth, than with a limit on connector tokens', () => {
    const amount = fc
      .double({ min: 17, max: 20.3, noNaN: true })
      .map((exponent) => BigInt(Math.ceil(10 ** exponent)))
    fc.assert(
      fc.property(plans({ kinds: ['v2', 'v3'], fewest: 6, most: 14 }), amount, (planned, sold) => {
        const market = marketOf(build(planned))
        const free = Number(findRoute(market, ground, requestOf(sold))?.returns ?? 0n)
        for (const connectorCount of [0, 1, 2]) {
          const bounded = findRoute(market, ground, requestOf(sold, { connectorCount }))
          expect(free).toBeGreaterThanOrEqual(Number(bounded?.returns ?? 0n) * (1 - 1e-6))
        }
      }),
      { numRuns: 60, seed: 21 },
    )
  })
})

function longestWay({ tokens, edges }: Route): number {
  const hops = tokens.map(() => 0)
  for (const { from, to } of edges) hops[to] = Math.max(hops[to]!, hops[from]! + 1)
  return hops.at(-1)!
}
