import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { leastReturn, returnFor } from '../../src/domain/trade.ts'

describe('leastReturn', () => {
  it('takes the slippage off and rounds down', () => {
    expect(leastReturn(1_000n, 50)).toBe(995n)
    expect(leastReturn(999n, 50)).toBe(994n)
    expect(leastReturn(0n, 50)).toBe(0n)
  })

  it('is the largest whole amount that stays within the slippage', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 256n - 1n), fc.integer({ min: 0, max: 5_000 }), (returns, bps) => {
        const least = leastReturn(returns, bps)
        const bound = returns * BigInt(10_000 - bps)
        expect(least * 10_000n <= bound && (least + 1n) * 10_000n > bound).toBe(true)
      }),
    )
  })
})

describe('returnFor', () => {
  it('is the least return of which the slippage leaves the amount', () => {
    expect(returnFor(995n, 50)).toBe(1_000n)
    fc.assert(
      fc.property(fc.bigInt(1n, 2n ** 256n - 1n), fc.integer({ min: 0, max: 5_000 }), (amount, bps) => {
        const returns = returnFor(amount, bps)
        expect(leastReturn(returns, bps)).toBeGreaterThanOrEqual(amount)
        expect(leastReturn(returns - 1n, bps)).toBeLessThan(amount)
      }),
    )
  })
})
