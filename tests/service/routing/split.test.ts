import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boughtFor, slopeAt } from '../../../service/pools/curve.ts'
import type { Pool } from '../../../service/pools/pool.ts'
import { findRoute } from '../../../service/routing/find.ts'
import { upperBound } from './bound.ts'
import { buy, ground, marketOf, networks, requestOf, sell, v2Pool } from './worlds.ts'

const reserve = fc.double({ min: 20, max: 24, noNaN: true }).map((exponent) => Math.round(10 ** exponent))
const parallelPools = (least: number, most: number) =>
  fc
    .array(fc.record({ depth: reserve, price: fc.double({ min: 0.98, max: 1.02, noNaN: true }) }), {
      minLength: least,
      maxLength: most,
    })
    .map((plans) =>
      plans.map(({ depth, price }, index) =>
        v2Pool({ tokens: [0, 1], reserves: [depth, Math.round(depth * price)], feePpm: 3_000 }, index),
      ),
    )
const amount = fc
  .double({ min: 15, max: 24, noNaN: true })
  .map((exponent) => BigInt(Math.round(10 ** exponent)))

describe('a split', () => {
  it('over parallel pools is the best there is', () => {
    fc.assert(
      fc.property(parallelPools(2, 8), amount, (pools, sold) => {
        const route = findRoute(marketOf(pools), ground, requestOf(sold))
        expect(Number(route?.returns) / bestParallel(pools, Number(sold))).toBeGreaterThan(0.99999)
      }),
      { numRuns: 200 },
    )
  })

  it('through connectors comes within a ten-thousandth of what any trade could bring', () => {
    const ratios: number[] = []
    fc.assert(
      fc.property(networks(12), amount, (pools, sold) => {
        const route = findRoute(marketOf(pools), ground, requestOf(sold))
        if (!route || route.returns < 10n ** 9n) return
        ratios.push(Number(route.returns) / upperBound(pools, sell, buy, Number(sold)))
      }),
      { numRuns: 150, seed: 11 },
    )
    ratios.sort((a, b) => a - b)
    console.log(ratios.length, ratios.slice(0, 10), ratios.reduce((s, r) => s + r, 0) / ratios.length)
    expect(ratios.length).toBeGreaterThan(100)
    expect(Math.max(...ratios)).toBeLessThan(1 + 1e-6)
    expect(ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length).toBeGreaterThan(0.9999)
    expect(ratios[0]).toBeGreaterThan(0.999)
  })

  it('leaves out pools that do not pay their gas, as trying all subsets would', () => {
    // Gas is valued through a pool of the wrapped coin and the bought token, too dear to sell through.
    const coin = v2Pool({ tokens: [1, 4], reserves: [1e24, 1e24], feePpm: 10_000 }, 99)
    fc.assert(
      fc.property(parallelPools(2, 6), amount, fc.integer({ min: 9, max: 14 }), (pools, sold, exponent) => {
        const gasPrice = 10n ** BigInt(exponent)
        const route = findRoute(marketOf([...pools, coin]), ground, requestOf(sold, { gasPrice }))
        const gasWorth = Number(gasPrice) * (boughtFor(coin.curve(ground.wrapped, buy), 1e16) / 1e16)
        const net = (returned: number, hops: number) =>
          returned - hops * Number(pools[0]!.gas(sell, buy, sold)) * gasWorth
        const best = Math.max(
          ...subsets(pools).map((chosen) => net(bestParallel(chosen, Number(sold)), chosen.length)),
        )
        const found = net(Number(route!.returns), route!.edges.length)
        expect(best - found).toBeLessThanOrEqual(Math.abs(best) * 1e-5 + Number(sold) * 1e-7)
      }),
      { numRuns: 150 },
    )
  })

  it('beats every single pool when the amount is large', () => {
    const pools = [0, 1, 2].map((i) => v2Pool({ tokens: [0, 1], reserves: [1e21, 1e21], feePpm: 3_000 }, i))
    const route = findRoute(marketOf(pools), ground, requestOf(10n ** 21n))
    expect(route?.edges.length).toBe(3)
    expect(route!.returns).toBeGreaterThan((pools[0]!.quote(sell, buy, 10n ** 21n) * 14n) / 10n)
  })
})

/** The optimum over pools of one pair: all sell down to the same price. */
function bestParallel(pools: readonly Pool[], sold: number): number {
  const curves = pools.map((pool) => pool.curve(sell, buy))
  const inputs = (price: number) =>
    curves.map((curve) => {
      const [reserveIn, reserveOut] = [curve.reserveIn[0] as number, curve.reserveOut[0] as number]
      return Math.max(0, (Math.sqrt((curve.keep * reserveIn * reserveOut) / price) - reserveIn) / curve.keep)
    })
  let [low, high] = [0, Math.max(...curves.map((curve) => slopeAt(curve, 0)))]
  for (let i = 0; i < 200; i++) {
    const middle = (low + high) / 2
    if (inputs(middle).reduce((sum, input) => sum + input, 0) > sold) low = middle
    else high = middle
  }
  return inputs(high).reduce((sum, input, i) => sum + boughtFor(curves[i]!, input), 0)
}

function subsets(pools: readonly Pool[]): Pool[][] {
  return Array.from({ length: 2 ** pools.length - 1 }, (_, mask) =>
    pools.filter((_, i) => ((mask + 1) >> i) & 1),
  )
}
