import { expect, it } from 'vitest'
import { capAt } from '../../../src/ui/fees/SpeedSheet.tsx'

it('allows for each speed as much more as the review allows for its own', () => {
  const review = { networkFee: 200n, feeCap: 300n }
  expect([100n, 200n, 400n].map((fee) => capAt(review, fee))).toEqual([150n, 300n, 600n])
  expect(capAt({ networkFee: 0n, feeCap: 0n }, 7n)).toBe(7n)
})
