import fc from 'fast-check'
import { expect, it } from 'vitest'
import { roundDownToDigits, roundUpToDigits } from '../../../src/domain/token/significantDigits.ts'

it('rounds an amount down or up to its first digits', () => {
  expect([roundDownToDigits(123_456_789n, 6), roundUpToDigits(123_456_789n, 6)]).toEqual([
    123_456_000n,
    123_457_000n,
  ])
  expect([roundDownToDigits(999_999_9n, 6), roundUpToDigits(999_999_9n, 6)]).toEqual([
    999_999_0n,
    1_000_000_0n,
  ])
  expect([roundDownToDigits(12n, 6), roundUpToDigits(12n, 6)]).toEqual([12n, 12n])
  fc.assert(
    fc.property(fc.bigInt(0n, 2n ** 256n), fc.integer({ min: 1, max: 20 }), (amount, digits) => {
      const [down, up] = [roundDownToDigits(amount, digits), roundUpToDigits(amount, digits)]
      expect(down <= amount && amount <= up).toBe(true)
      expect(up === down).toBe(down === amount)
    }),
  )
})
