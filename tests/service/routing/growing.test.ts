import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Pool } from '../../../service/pools/pool.ts'
import { findRoute } from '../../../service/routing/findRoute.ts'
import { buy, ground, marketOf, mid, requestOf, sell, v2Pool } from '../../helpers/service/randomPools.ts'
import { build, plans, weightedOf } from './mixed.ts'

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

  it('loses no more than a millionth of the return while the pools hold more than the amount', () => {
    const falls: number[] = []
    fc.assert(
      fc.property(plans({ kinds: ['v2', 'v3', 'weighted'], fewest: 4, most: 14 }), (planned) => {
        falls.push(worstFall(build(planned), growing(1e16, 1e19, 1.5)))
      }),
      { numRuns: 30, seed: 1 },
    )
    expect(falls.length).toBe(30)
    expect(Math.max(...falls)).toBeLessThan(1e-6)
  })
})
