import { expect, it } from 'vitest'
import { replacementFee } from '../../../src/domain/activity/replacement.ts'
import { expectedFeeAt } from '../../../src/domain/network/networkFee.ts'

it('expects base fee and tip of the gas to be used, and the L1 fee without its headroom', () => {
  const cost = { expectedGas: 1_000n, baseFeePerGas: 10n, l1Fee: 500n }
  expect(expectedFeeAt(cost, { maxFeePerGas: 25n, maxPriorityFeePerGas: 2n })).toBe(12_400n)
  // Never more per gas than allowed.
  expect(expectedFeeAt(cost, { maxFeePerGas: 11n, maxPriorityFeePerGas: 2n })).toBe(11_400n)
})

it('counts a gas price whole', () => {
  const cost = { expectedGas: 1_000n, baseFeePerGas: 0n, l1Fee: 0n }
  expect(expectedFeeAt(cost, { maxFeePerGas: 30n, maxPriorityFeePerGas: 30n })).toBe(30_000n)
})

it('names the likely cost of a replacement beside its maximum', () => {
  const offer = { gas: 1_200n, expectedGas: 1_000n, baseFeePerGas: 10n, l1Fee: 750n }
  expect(replacementFee(offer, { maxFeePerGas: 25n, maxPriorityFeePerGas: 2n })).toEqual({
    expectedFee: 12_000n + 400n,
    feeCap: 30_000n + 750n,
  })
})
