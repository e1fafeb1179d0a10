import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Fees,
  feeAt,
  meetsMinFees,
  minReplacementFees,
  replacementAt,
} from '../../../src/domain/activity/replacement.ts'

const fees = fc.record({
  maxFeePerGas: fc.bigInt({ min: 1n, max: 10n ** 15n }),
  maxPriorityFeePerGas: fc.bigInt({ min: 0n, max: 10n ** 15n }),
}) satisfies fc.Arbitrary<Fees>

describe('minReplacementFees', () => {
  it('raises the highest value of each fee by an eighth, rounded up', () => {
    const rivals = [
      { maxFeePerGas: 80n, maxPriorityFeePerGas: 1n },
      { maxFeePerGas: 17n, maxPriorityFeePerGas: 9n },
    ]
    expect(minReplacementFees(rivals)).toEqual({ maxFeePerGas: 90n, maxPriorityFeePerGas: 11n })
    expect(minReplacementFees([{ maxFeePerGas: 1n, maxPriorityFeePerGas: 0n }])).toEqual({
      maxFeePerGas: 2n,
      maxPriorityFeePerGas: 2n,
    })
  })

  it('returns the smallest fees at least 12.5 % above every earlier transaction', () => {
    fc.assert(
      fc.property(fc.array(fees, { minLength: 1, maxLength: 5 }), (rivals) => {
        const least = minReplacementFees(rivals)
        for (const key of ['maxFeePerGas', 'maxPriorityFeePerGas'] as const) {
          const all = [1n, ...rivals.map((one) => one[key])]
          expect(all.every((each) => least[key] * 8n >= each * 9n)).toBe(true)
          expect(all.some((each) => (least[key] - 1n) * 8n < each * 9n)).toBe(true)
        }
        expect(meetsMinFees(least, least)).toBe(true)
        expect(meetsMinFees({ ...least, maxFeePerGas: least.maxFeePerGas - 1n }, least)).toBe(false)
        expect(meetsMinFees({ ...least, maxPriorityFeePerGas: least.maxPriorityFeePerGas - 1n }, least)).toBe(
          false,
        )
      }),
      { seed: 7 },
    )
  })
})

describe('replacementAt', () => {
  it('uses the higher of the market fee and the minimum for each fee field', () => {
    const least = { maxFeePerGas: 5n, maxPriorityFeePerGas: 4n }
    const market = { maxFeePerGas: 9n, maxPriorityFeePerGas: 2n }
    const speeds = { slow: { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }, normal: market, fast: market }
    const offer = { replaces: '0x', gas: 100n, l1Fee: 7n, least, speeds } as const
    const [slow, fast] = [replacementAt(offer, 'slow'), replacementAt(offer, 'fast')]
    expect([slow, fast]).toEqual([least, { maxFeePerGas: 9n, maxPriorityFeePerGas: 4n }])
    expect([feeAt(offer, slow), feeAt(offer, fast)]).toEqual([507n, 907n])
  })
})
