import { describe, expect, it } from 'vitest'
import { maxUint256 } from '../../../../src/domain/token/amount.ts'
import {
  findPermit,
  formatSpendingApproval,
  isAllOrNothing,
  parseMultiple,
} from '../../../../src/ui/swap/review/permissions.ts'

describe('spending approvals', () => {
  const sold = { amount: 5_000_000n, decimals: 6, symbol: 'USDC' }

  it('states the kind of approval and its amount', () => {
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

  it('isAllOrNothing is true only for an unlimited offer of the same kind', () => {
    const offers = [
      { via: 'permit', isUnlimited: true },
      { via: 'approve', isUnlimited: false },
    ] as const
    expect(isAllOrNothing([...offers], 'permit')).toBe(true)
    expect(isAllOrNothing([...offers], 'approve')).toBe(false)
    expect(isAllOrNothing([], 'permit')).toBe(false)
  })

  it('findPermit marks the permit as unlimited if its offer is', () => {
    expect(findPermit([{ via: 'permit', isUnlimited: true }])).toEqual({ via: 'permit', isUnlimited: true })
    expect(findPermit([{ via: 'permit', isUnlimited: false }])).toEqual({ via: 'permit' })
  })
})

describe('parseMultiple', () => {
  it('accepts whole numbers from 2 to 1,000', () => {
    expect([' 10 ', '2', '1000', '١٢', '１２'].map(parseMultiple)).toEqual([10n, 2n, 1_000n, 12n, 12n])
    for (const text of ['', '1', '1001', '2.5', '-3', 'ten'])
      expect(parseMultiple(text)).toContain('2 to 1,000')
  })
})
