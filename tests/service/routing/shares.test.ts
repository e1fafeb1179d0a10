import fc from 'fast-check'
import { expect, it } from 'vitest'
import { divide } from '../../../service/api/describeRoute.ts'

it('divides without a remainder, with at least one unit for each share', () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt(0n, 10n ** 30n), { minLength: 1, maxLength: 50 }), (amounts) => {
      for (const whole of [100, 10_000]) {
        const shares = divide(whole, amounts)
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(whole)
        expect(Math.min(...shares)).toBeGreaterThanOrEqual(1)
      }
    }),
  )
})

it('keeps the proportions', () => {
  expect(divide(100, [3n, 1n])).toEqual([75, 25])
  expect(divide(10_000, [1n, 1n, 1n])).toEqual([3_334, 3_333, 3_333])
})

it('takes the units for many small shares evenly from the largest', () => {
  const small = Array.from({ length: 45 }, () => 1n)
  const large = Array.from({ length: 5 }, () => 10n ** 9n)
  expect(divide(100, [...small, ...large])).toEqual([...small.map(() => 1), 11, 11, 11, 11, 11])
})
