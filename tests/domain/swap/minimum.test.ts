import { describe, expect, it } from 'vitest'
import { meetsMinimum, minReturnFor } from '../../../src/domain/swap/minimum.ts'
import { nativeTokenAddress } from '../../../src/domain/token/token.ts'

const trade = { chainId: 1, sell: nativeTokenAddress, buy: `0x${'5c'.repeat(20)}`, amount: 3n } as const
const whole = { trade, floor: 10n }
const partly = { ...whole, allowPartialFill: true }

describe('the minimum of a swap', () => {
  it('is the whole one unless a part was allowed to be sold', () => {
    expect([0n, 1n, 3n].map((spent) => minReturnFor(whole, spent))).toEqual([10n, 10n, 10n])
  })

  it('keeps the price for a part, rounded up', () => {
    expect([1n, 2n, 3n, 4n].map((spent) => minReturnFor(partly, spent))).toEqual([4n, 7n, 10n, 10n])
    expect([3n, 4n].map((received) => meetsMinimum(partly, received, 1n))).toEqual([false, true])
  })

  it('is never met by nothing', () => {
    expect(meetsMinimum(partly, 0n, 0n)).toBe(false)
  })
})
