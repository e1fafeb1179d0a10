import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Address } from '../../../../service/config.ts'
import type { Pool } from '../../../../service/pools/pool.ts'
import { solidlyPool } from '../../../../service/pools/solidly.ts'
import { findRoute } from '../../../../service/routing/findRoute.ts'
import { certify, formatBound } from '../../../../service/routing/optimizer/certificate.ts'
import type { RouteLimits } from '../../../../service/routing/routeLimits.ts'
import { nativeTokenAddress } from '../../../../service/tokens/registry.ts'
import {
  buy,
  ground,
  marketOf,
  mid,
  requestOf,
  sell,
  tokenAt,
  v2Pool,
  weth,
} from '../../../helpers/service/randomPools.ts'
import { freely } from '../../../helpers/service/requests.ts'
import { slow } from '../../../helpers/slow.ts'
import { upperBound } from '../bound.ts'
import { build, plans } from '../mixed.ts'

slow('Many cases are drawn at random.')

const amount = fc
  .double({ min: 0, max: 23, noNaN: true })
  .map((exponent) => BigInt(Math.ceil(10 ** exponent)))
/** Below the shallowest pool's depth, but a basis point exceeds rounding. */
const modest = fc
  .double({ min: 14, max: 20.3, noNaN: true })
  .map((exponent) => BigInt(Math.round(10 ** exponent)))
const limits: fc.Arbitrary<Partial<RouteLimits>> = fc.record({
  complexityLevel: fc.constantFrom(0, 1, 2),
  parts: fc.integer({ min: 1, max: 8 }),
  mainRouteParts: fc.integer({ min: 1, max: 5 }),
  connectorCount: fc.integer({ min: 1, max: 3 }),
  sources: fc.constantFrom(freely.sources, freely.sources, new Set(['UNISWAP_V2', 'BALANCER_V2_WEIGHTED'])),
  gasPrice: fc.constantFrom(0n, 10n ** 9n, 10n ** 13n),
  gasLimit: fc.bigInt({ min: 150_000n, max: 900_000n }),
  apart: fc.boolean(),
})
const ends = fc.constantFrom(
  [sell, buy],
  [nativeTokenAddress, buy],
  [sell, nativeTokenAddress],
  [weth, sell],
  [buy, weth],
)
const other = tokenAt(7)
const all = ['v2', 'v3', 'weighted'] as const
const every = [
  ...(['v2', 'v3', 'weighted', 'volatile', 'stable', 'weightedV3', 'stableV3'] as const),
  ...(['curve', 'curveNg', 'algebra', 'converter'] as const),
]

describe('certify', () => {
  it('returns an upper bound for the route, for any trade and limits', () => {
    let found = 0
    fc.assert(
      fc.property(
        plans({ kinds: every, fewest: 8, most: 16 }),
        amount,
        limits,
        ends,
        (planned, sold, chosen, [from, to]) => {
          const request = { ...requestOf(sold, chosen), sell: from!, buy: to! }
          const route = findRoute(marketOf(build(planned)), ground, request)
          if (!route) return
          found++
          const { upper, gapBps } = certify(route)
          expect(upper).toBeGreaterThanOrEqual(route.returns)
          expect(gapBps).toBeGreaterThanOrEqual(0)
          expect(gapBps).toBeLessThanOrEqual(10_000)
        },
      ),
      { numRuns: 600, seed: 1 },
    )
    expect(found).toBeGreaterThan(50)
  })

  it('counts what rounding pays in pools of the market beyond the candidates', () => {
    // Solidly rounds fees down: to none of 333 units.
    const solidly = (
      tokens: readonly [Address, Address],
      reserves: readonly [bigint, bigint],
      index: number,
    ) =>
      solidlyPool(
        {
          ...{ kind: 'solidly', source: 'AERODROME_V2', address: tokenAt(0xb000 + index), tokens },
          fixed: { factory: tokenAt(0xfac), isStable: false, units: [10n ** 18n, 10n ** 18n] },
        },
        { reserve0: reserves[0], reserve1: reserves[1], fee: 30, isPaused: false },
      )
    for (const trusted of [other, mid]) {
      const pools = [
        v2Pool({ tokens: [0, 1], reserves: [1e24, 1e27], feePpm: 3_000 }, 0),
        solidly([sell, trusted], [10n ** 24n, 1_002n * 10n ** 21n], 1),
        solidly([buy, trusted], [10n ** 27n, 10n ** 24n], 2),
      ]
      const market = marketOf(pools, [trusted])
      const plain = findRoute(market, ground, requestOf(333n, { complexityLevel: 2 }))!
      const around = findRoute(market, ground, requestOf(333n, { sources: new Set(['AERODROME_V2']) }))!
      expect(certify(plain).over).toBe('market')
      expect(certify(plain).upper).toBeGreaterThanOrEqual(around.returns)
    }
  })

  it('returns an upper bound for a route without limits through the same pools', () => {
    let compared = 0
    fc.assert(
      fc.property(
        plans({ kinds: [...all, 'stable', 'converter'], fewest: 5, most: 12 }),
        modest,
        (planned, sold) => {
          const market = marketOf(build(planned))
          const freest = findRoute(market, ground, requestOf(sold))
          const narrow = findRoute(market, ground, requestOf(sold, { parts: 1, mainRouteParts: 1 }))
          if (!freest || !narrow) return
          compared++
          expect(certify(narrow).upper).toBeGreaterThanOrEqual(freest.returns)
        },
      ),
      { numRuns: 100, seed: 2 },
    )
    expect(compared).toBeGreaterThan(50)
  })

  it('matches an independently computed upper bound to a millionth', () => {
    const ratios: number[] = []
    fc.assert(
      fc.property(plans({ kinds: ['v2', 'v3'], fewest: 5, most: 12 }), modest, (planned, sold) => {
        const pools = build(planned)
        const route = findRoute(marketOf(pools), ground, requestOf(sold))
        if (!route || route.returns < 10n ** 9n) return
        ratios.push(Number(certify(route).upper) / upperBound(pools, sell, buy, Number(sold)))
      }),
      { numRuns: 40, seed: 3 },
    )
    expect(ratios.length).toBeGreaterThan(20)
    expect(Math.min(...ratios)).toBeGreaterThan(1 - 1e-7)
    expect(Math.max(...ratios)).toBeLessThan(1 + 1e-6)
  })

  it.each([
    ['pools of two tokens', ['v2', 'v3']],
    ['converters and pools of two tokens', ['v2', 'v3', 'stable', 'converter', 'converter']],
    ['pools of two and three tokens', all],
  ] as const)('stays close above a route without limits over %s', (_, kinds) => {
    const gaps: number[] = []
    fc.assert(
      fc.property(plans({ kinds, fewest: 8, most: 16 }), modest, (planned, sold) => {
        const route = findRoute(marketOf(build(planned)), ground, requestOf(sold))
        if (route && route.returns > 10n ** 9n) gaps.push(certify(route).gapBps)
      }),
      { numRuns: 200, seed: 4 },
    )
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length
    expect(gaps.length).toBeGreaterThan(100)
    expect(mean).toBeLessThan(1)
    gaps.sort((a, b) => a - b)
    // The rest needs more connectors, or a pool of three tokens several times.
    expect(gaps[Math.floor(gaps.length * 0.95)]).toBeLessThan(10)
  })

  it('returns the amount itself for wrapping alone', () => {
    for (const [from, to] of [
      [nativeTokenAddress, weth],
      [weth, nativeTokenAddress],
    ] as const) {
      const route = findRoute(marketOf([]), ground, { ...requestOf(7n), sell: from, buy: to })
      expect(certify(route!)).toEqual({ upper: 7n, gapBps: 0, over: 'market' })
    }
  })

  it('returns the same bound for the native token as for its wrapped token', () => {
    const pools = [3_000, 10_000].map((feePpm, i) =>
      v2Pool({ tokens: [1, 4], reserves: [1e24, 1e24], feePpm }, i),
    )
    const boundOf = (from: typeof sell, to: typeof sell, some: Pool[] = pools) =>
      certify(findRoute(marketOf(some), ground, { ...requestOf(10n ** 22n), sell: from, buy: to })!)
    expect(boundOf(nativeTokenAddress, buy)).toEqual(boundOf(weth, buy))
    expect(boundOf(buy, nativeTokenAddress)).toEqual(boundOf(buy, weth))
    expect(boundOf(nativeTokenAddress, buy, pools.slice(0, 1)).upper).toBeLessThan(
      boundOf(nativeTokenAddress, buy).upper,
    )
  })
})

describe('formatBound', () => {
  it.each([
    [0n, 0, 'upper="0", gap-bps=0.00, over=market'],
    [123_456n, 0.42, 'upper="123456", gap-bps=0.42, over=market'],
    [123_456n, 0.420_1, 'upper="123456", gap-bps=0.43, over=market'],
    [1n, 1e-12, 'upper="1", gap-bps=0.01, over=market'],
    [1n, 0.999, 'upper="1", gap-bps=1.00, over=market'],
    [10n ** 40n, 10_000, `upper="1${'0'.repeat(40)}", gap-bps=10000.00, over=market`],
  ])('formats an upper bound of %s and a gap of %s as %s', (upper, gapBps, text) => {
    expect(formatBound({ upper, gapBps, over: 'market' })).toBe(text)
  })

  it('never states a smaller gap, nor one larger by more than a hundredth', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 10_000, noNaN: true }), (gapBps) => {
        const text = formatBound({ upper: 7n, gapBps, over: 'candidates' })
        const told = /^upper="7", gap-bps=(\d+\.\d\d), over=candidates$/.exec(text)?.[1]
        expect(Number(told)).toBeGreaterThanOrEqual(gapBps)
        expect(Number(told)).toBeLessThan(gapBps + 0.0101)
      }),
      { seed: 5 },
    )
  })
})
