import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { converterPool } from '../../../../service/pools/converter.ts'
import type { Pool } from '../../../../service/pools/pool.ts'
import { findRoute } from '../../../../service/routing/findRoute.ts'
import type { Route } from '../../../../service/routing/route.ts'
import {
  buy,
  far,
  ground,
  marketOf,
  networks,
  requestOf,
  sell,
  v2Pool,
} from '../../../helpers/service/randomPools.ts'
import { slow } from '../../../helpers/slow.ts'
import { subsets, upperBound } from '../bound.ts'

slow('Many cases are drawn at random.')

const reserve = fc.double({ min: 20, max: 24, noNaN: true }).map((exponent) => Math.round(10 ** exponent))
const parallelPools = fc
  .array(fc.record({ depth: reserve, price: fc.double({ min: 0.98, max: 1.02, noNaN: true }) }), {
    minLength: 2,
    maxLength: 8,
  })
  .map((plans) =>
    plans.map(({ depth, price }, index) =>
      v2Pool({ tokens: [0, 1], reserves: [depth, Math.round(depth * price)], feePpm: 3_000 }, index),
    ),
  )
const amount = fc
  .double({ min: 15, max: 22, noNaN: true })
  .map((exponent) => BigInt(Math.round(10 ** exponent)))

/** The bound ignores that pools run out. */
const modestAmount = fc
  .double({ min: 14, max: 20.3, noNaN: true })
  .map((exponent) => BigInt(Math.round(10 ** exponent)))

describe('findRoute: allocation', () => {
  it('comes within a ten-thousandth of the optimum over parallel pools', () => {
    fc.assert(
      fc.property(parallelPools, amount, (pools, sold) => {
        const route = findRoute(marketOf(pools), ground, requestOf(sold))
        expect(Number(route?.returns) / bestParallel(pools, Number(sold))).toBeGreaterThan(0.9999)
      }),
      { numRuns: 200, seed: 1 },
    )
  })

  it('divides among pools that pay more than a converter of more than the amount, with gas', () => {
    const sold = 10n ** 22n
    const converterOf = (limit: bigint) =>
      converterPool(
        {
          ...{ kind: 'converter', source: 'SAVINGS_DAI', address: far, tokens: [sell, buy] },
          fixed: { form: 'vault', isOneWay: false, unit: 1n, parties: [] },
        },
        { rates: [10_000n, 9_992n], maxSold: [limit, limit], maxBought: [limit, limit] },
      )
    // Each alone pays less than the converter, all together more.
    const pools = Array.from({ length: 8 }, (_, index) =>
      v2Pool({ tokens: [0, 1], reserves: [8e24, 8e24 * 0.99995], feePpm: 100 }, index),
    )
    const request = requestOf(sold, { gasPrice: 10n ** 9n })
    const coinBought = { ...ground, wrapped: buy }
    const alone = findRoute(marketOf(pools), coinBought, request)!.returns
    expect(alone).toBeGreaterThan((sold * 9_992n) / 10_000n)
    for (let percent = 100n; percent <= 400n; percent += 10n) {
      const both = [...pools, converterOf((sold * percent) / 100n)]
      expect(findRoute(marketOf(both), coinBought, request)!.returns).toBeGreaterThanOrEqual(alone)
    }
  })

  it('comes within a ten-thousandth of the upper bound on average, through connector tokens', () => {
    const ratios: number[] = []
    fc.assert(
      fc.property(networks(4, 14), modestAmount, (pools, sold) => {
        const route = findRoute(marketOf(pools), ground, requestOf(sold))
        if (!route || route.returns < 10n ** 9n) return
        ratios.push(Number(route.returns) / upperBound(pools, sell, buy, Number(sold)))
      }),
      { numRuns: 150, seed: 11 },
    )
    ratios.sort((a, b) => a - b)
    expect(ratios.length).toBeGreaterThan(100)
    expect(Math.max(...ratios)).toBeLessThan(1 + 1e-6)
    expect(ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length).toBeGreaterThan(0.9999)
    expect(ratios[0]).toBeGreaterThan(0.999)
  })

  it('omits pools that are not worth their gas, as well as a search over all subsets of pools', () => {
    // A wei of gas is then worth one unit.
    const coinBought = { ...ground, wrapped: buy }
    const net = (route: Route | undefined, gasPrice: bigint) =>
      route ? Number(route.returns - route.gas * gasPrice) : Number.NEGATIVE_INFINITY
    const ratios: number[] = []
    const gasShare = fc.double({ min: 2, max: 5, noNaN: true })
    fc.assert(
      fc.property(networks(4, 8), modestAmount, gasShare, (pools, sold, share) => {
        // A hop costs 1% to 0.001% of the amount.
        const gasPrice = BigInt(Math.ceil(Number(sold) / 70_000 / 10 ** share))
        const found = net(findRoute(marketOf(pools), coinBought, requestOf(sold, { gasPrice })), gasPrice)
        const best = Math.max(
          ...subsets(pools).map((some) =>
            net(findRoute(marketOf(some), coinBought, requestOf(sold)), gasPrice),
          ),
        )
        if (best > 0) ratios.push(found / best)
      }),
      { numRuns: 150, seed: 2 },
    )
    expect(ratios.length).toBeGreaterThan(80)
    expect(Math.min(...ratios)).toBeGreaterThan(0.9999)
  })

  it('beats every single pool when the amount is large', () => {
    const pools = [0, 1, 2].map((i) => v2Pool({ tokens: [0, 1], reserves: [1e21, 1e21], feePpm: 3_000 }, i))
    const route = findRoute(marketOf(pools), ground, requestOf(10n ** 21n))
    expect(route?.edges.length).toBe(3)
    expect(route!.returns).toBeGreaterThan((pools[0]!.quote(sell, buy, 10n ** 21n) * 14n) / 10n)
  })
})

/** All pools end at the same price. */
function bestParallel(pools: readonly Pool[], sold: number): number {
  const curves = pools.map((pool) => pool.curve(sell, buy))
  const inputs = (price: number) => curves.map((curve) => curve.soldAt(price))
  let [low, high] = [0, Math.max(...curves.map((curve) => curve.slope(0)))]
  for (let i = 0; i < 200; i++) {
    const middle = (low + high) / 2
    if (inputs(middle).reduce((sum, input) => sum + input, 0) > sold) low = middle
    else high = middle
  }
  return inputs(high).reduce((sum, input, i) => sum + curves[i]!.bought(input), 0)
}
