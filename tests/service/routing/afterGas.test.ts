import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Pool } from '../../../service/pools/pool.ts'
import { findRoute } from '../../../service/routing/findRoute.ts'
import { buy, ground, marketOf, requestOf } from '../../helpers/service/randomPools.ts'
import { slow } from '../../helpers/slow.ts'
import { build, plans } from './mixed.ts'

slow('Many cases are drawn at random.')

// A wei of gas is then worth one unit.
const coinBought = { ...ground, wrapped: buy }
const markets = plans({
  kinds: [
    ...(['v2', 'v3', 'weighted', 'volatile', 'stable', 'weightedV3', 'stableV3'] as const),
    ...(['curve', 'curveNg', 'algebra', 'converter'] as const),
  ],
  fewest: 5,
  most: 14,
})
const modest = fc
  .double({ min: 17, max: 20.3, noNaN: true })
  .map((exponent) => BigInt(Math.round(10 ** exponent)))
const gas = fc.double({ min: 2, max: 5, noNaN: true })

/** Finds routes of an amount at a gas price of which 70,000 cost a part of it. */
function seller(sold: bigint, share: number) {
  const gasPrice = BigInt(Math.ceil(Number(sold) / 70_000 / 10 ** share))
  return (pools: readonly Pool[], apart = false) => {
    const route = findRoute(marketOf(pools), coinBought, requestOf(sold, { gasPrice, apart }))
    return route && { route, net: Number(route.returns - route.gas * gasPrice) }
  }
}

describe('findRoute: returns after gas', () => {
  it('would be no greater by a hundred-thousandth without one of its pools', () => {
    let compared = 0
    fc.assert(
      fc.property(markets, modest, gas, (planned, sold, share) => {
        const pools = build(planned)
        const sellIn = seller(sold, share)
        const found = sellIn(pools)
        if (found === undefined || found.net < 1e9) return
        for (const { pool } of found.route.edges) {
          const other = sellIn(pools.filter((one) => one !== pool))
          if (other === undefined) continue
          compared++
          expect(other.net / found.net).toBeLessThan(1 + 1e-5)
        }
      }),
      { numRuns: 300, seed: 1 },
    )
    expect(compared).toBeGreaterThan(200)
  })

  it('would be no greater by a hundred-thousandth if no pool traded two pairs', () => {
    let compared = 0
    fc.assert(
      fc.property(markets, modest, gas, (planned, sold, share) => {
        const pools = build(planned)
        const sellIn = seller(sold, share)
        const [found, apart] = [sellIn(pools), sellIn(pools, true)]
        if (found === undefined || apart === undefined || found.net < 1e9) return
        compared++
        expect(apart.net / found.net).toBeLessThan(1 + 1e-5)
      }),
      { numRuns: 300, seed: 3 },
    )
    expect(compared).toBeGreaterThan(200)
  })
})
