import { expect, it } from 'vitest'
import { capAt } from '../../../src/ui/fees/SpeedSheet.tsx'

it('scales the fee cap of each speed in proportion to the reviewed fee and its cap', () => {
  const review = { networkFee: 200n, feeCap: 300n }
  expect([100n, 200n, 400n].map((fee) => capAt(review, fee))).toEqual([150n, 300n, 600n])
  expect(capAt({ networkFee: 0n, feeCap: 0n }, 7n)).toBe(7n)
})
