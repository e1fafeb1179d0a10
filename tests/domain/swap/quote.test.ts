import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { computeMinReturn, computeRequiredReturn, quoteKey } from '../../../src/domain/swap/quote.ts'

describe('computeMinReturn', () => {
  it('subtracts the slippage and rounds down', () => {
    expect(computeMinReturn(1_000n, 50)).toBe(995n)
    expect(computeMinReturn(999n, 50)).toBe(994n)
    expect(computeMinReturn(0n, 50)).toBe(0n)
  })

  it('returns the largest whole amount within the slippage', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 256n - 1n), fc.integer({ min: 0, max: 5_000 }), (returns, bps) => {
        const least = computeMinReturn(returns, bps)
        const bound = returns * BigInt(10_000 - bps)
        expect(least * 10_000n <= bound && (least + 1n) * 10_000n > bound).toBe(true)
      }),
    )
  })
})

describe('computeRequiredReturn', () => {
  it('returns the smallest return whose minimum reaches the amount', () => {
    expect(computeRequiredReturn(995n, 50)).toBe(1_000n)
    fc.assert(
      fc.property(fc.bigInt(1n, 2n ** 256n - 1n), fc.integer({ min: 0, max: 5_000 }), (amount, bps) => {
        const returns = computeRequiredReturn(amount, bps)
        expect(computeMinReturn(returns, bps)).toBeGreaterThanOrEqual(amount)
        expect(computeMinReturn(returns - 1n, bps)).toBeLessThan(amount)
      }),
    )
  })
})

describe('quoteKey', () => {
  const pair = { chainId: 1, sell: '0xa', buy: '0xb' } as const

  it('returns the same key for equal requests in any property order', () => {
    const options = { parts: 5, excludedProtocols: ['B', 'A'] }
    const same = { excludedProtocols: ['A', 'B'], protocols: [], parts: 5 }
    expect(quoteKey({ ...pair, amount: 1n, options })).toBe(quoteKey({ options: same, amount: 1n, ...pair }))
    expect(quoteKey({ ...pair, amount: 1n })).toBe(quoteKey({ ...pair, amount: 1n, options: {} }))
  })

  it('returns different keys for different trades and options', () => {
    const keys = [
      quoteKey({ ...pair, amount: 1n }),
      quoteKey({ ...pair, returns: 1n }),
      quoteKey({ ...pair, amount: 12n }),
      quoteKey({ ...pair, chainId: 12, amount: 1n }),
      quoteKey({ ...pair, sell: '0xb', buy: '0xa', amount: 1n }),
      quoteKey({ ...pair, amount: 1n, options: { parts: 0 } }),
      quoteKey({ ...pair, amount: 1n, options: { gasPrice: 0n } }),
      quoteKey({ ...pair, amount: 1n, options: { protocols: ['A'] } }),
      quoteKey({ ...pair, amount: 1n, options: { excludedProtocols: ['A'] } }),
    ]
    expect(new Set(keys).size).toBe(keys.length)
  })
})
