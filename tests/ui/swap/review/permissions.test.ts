import { describe, expect, it } from 'vitest'
import { maxUint256 } from '../../../../src/domain/token/amount.ts'
import {
  findPermit,
  formatSpendingApproval,
  isAllOrNothing,
  parseMultiple,
} from '../../../../src/ui/swap/review/permissions.ts'

describe('a permission in a few words', () => {
  const sold = { amount: 5_000_000n, decimals: 6, symbol: 'USDC' }

  it('says how, and how much: more than is sold by its number', () => {
    expect(formatSpendingApproval({ via: 'permit' }, sold, false)).toBe('Permit, exact amount')
    expect(formatSpendingApproval({ via: 'permit' }, sold, true)).toBe('Permit, unlimited')
    expect(formatSpendingApproval({ via: 'approve', amount: 5_000_000n }, sold, false)).toBe(
      'Approve exact amount',
    )
    expect(formatSpendingApproval({ via: 'approve', amount: 1_500_000_000n }, sold, false)).toBe(
      'Approve 1,500 USDC',
    )
    expect(formatSpendingApproval({ via: 'permit2', amount: maxUint256 }, sold, false)).toBe(
      'Permit2, unlimited',
    )
  })

  it('is for all or nothing where its token knows no amounts', () => {
    const offers = [
      { via: 'permit', isUnlimited: true },
      { via: 'approve', isUnlimited: false },
    ] as const
    expect(isAllOrNothing([...offers], 'permit')).toBe(true)
    expect(isAllOrNothing([...offers], 'approve')).toBe(false)
    expect(isAllOrNothing([], 'permit')).toBe(false)
  })

  it('that is chosen says whether it is for everything', () => {
    expect(findPermit([{ via: 'permit', isUnlimited: true }])).toEqual({ via: 'permit', isUnlimited: true })
    expect(findPermit([{ via: 'permit', isUnlimited: false }])).toEqual({ via: 'permit' })
  })
})

describe('a multiple', () => {
  it('is a whole number of at least two', () => {
    expect([' 10 ', '2', '1000', '١٢', '１２'].map(parseMultiple)).toEqual([10n, 2n, 1_000n, 12n, 12n])
    for (const text of ['', '1', '1001', '2.5', '-3', 'ten'])
      expect(parseMultiple(text)).toContain('2 to 1,000')
  })
})
