import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createSqrtPrices,
  maxTick,
  minTick,
  sqrtPriceAtTick,
} from '../../../../service/pools/math/sqrtPrice.ts'

describe('sqrtPriceAtTick', () => {
  it('returns the minimum and maximum prices of TickMath', () => {
    // TickMath.MIN_SQRT_RATIO and MAX_SQRT_RATIO of v3-core.
    expect(sqrtPriceAtTick(minTick)).toBe(4295128739n)
    expect(sqrtPriceAtTick(maxTick)).toBe(1461446703485210103287273052203988822378723970342n)
    expect(sqrtPriceAtTick(0)).toBe(2n ** 96n)
  })

  it('returns 1.0001 to the power of half the tick', () => {
    fc.assert(
      fc.property(fc.integer({ min: minTick, max: maxTick }), (tick) => {
        const price = Number(sqrtPriceAtTick(tick)) / 2 ** 96
        expect(price / 1.0001 ** (tick / 2)).toBeCloseTo(1, 9)
      }),
    )
  })
})

describe('createSqrtPrices', () => {
  it('remembers a bounded number of prices, and always returns the exact one', () => {
    const prices = createSqrtPrices(10)
    for (const round of [0, 1]) {
      for (let tick = -500; tick < 500; tick++) {
        expect(prices.at(tick + round)).toBe(sqrtPriceAtTick(tick + round))
        expect(prices.size()).toBeLessThanOrEqual(10)
      }
    }
  })
})
