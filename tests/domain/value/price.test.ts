import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromUsd, toUsd } from '../../../src/domain/value/price.ts'

const amount = fc.bigInt({ min: 0n, max: 2n ** 128n })
const price = fc.record({
  usd: fc.bigInt({ min: 1n, max: 2n ** 80n }),
  per: fc.nat(36).map((decimals) => 10n ** BigInt(decimals)),
})

describe('toUsd', () => {
  it('values an ether at 3,000 dollars and 1.5 dollars of a token with six decimals', () => {
    expect(toUsd(10n ** 18n, { usd: 300_000_000_000n, per: 10n ** 18n })).toBe(300_000_000_000n)
    expect(toUsd(1_500_000n, { usd: 100_000_000n, per: 1_000_000n })).toBe(150_000_000n)
  })

  it('never returns more than the amount is worth, also there and back', () => {
    fc.assert(
      fc.property(amount, price, (held, one) => {
        const value = toUsd(held, one)
        expect(value * one.per).toBeLessThanOrEqual(held * one.usd)
        expect(fromUsd(value, one)).toBeLessThanOrEqual(held)
      }),
    )
  })
})
