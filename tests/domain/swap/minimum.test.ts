import { describe, expect, it } from 'vitest'
import { meetsMinimum, minReturnFor } from '../../../src/domain/swap/minimum.ts'
import { nativeTokenAddress } from '../../../src/domain/token/token.ts'

const trade = { chainId: 1, sell: nativeTokenAddress, buy: `0x${'5c'.repeat(20)}`, amount: 3n } as const
const whole = { trade, floor: 10n }
const partly = { ...whole, allowPartialFill: true }

describe('minimum of a swap', () => {
  it('returns the full minimum unless partial fill is allowed', () => {
    expect([0n, 1n, 3n].map((spent) => minReturnFor(whole, spent))).toEqual([10n, 10n, 10n])
  })

  it('scales the minimum to the sold part, rounded up', () => {
    expect([1n, 2n, 3n, 4n].map((spent) => minReturnFor(partly, spent))).toEqual([4n, 7n, 10n, 10n])
    expect([3n, 4n].map((received) => meetsMinimum(partly, received, 1n))).toEqual([false, true])
  })

  it('is not met when nothing was spent and received', () => {
    expect(meetsMinimum(partly, 0n, 0n)).toBe(false)
  })
})
