import { describe, expect, it } from 'vitest'
import { maxUint256 } from '../../../../src/domain/token/amount.ts'
import {
  describeOffer,
  findPermit,
  formatSpendingApproval,
  isAllOrNothing,
} from '../../../../src/ui/swap/review/permissions.ts'

describe('spending approvals', () => {
  const sold = { amount: 5_000_000n, decimals: 6, symbol: 'USDC' }

  it('states the kind of approval and its amount', () => {
    expect(formatSpendingApproval({ via: 'permit' }, sold, false)).toBe('Signature, no fee')
    expect(formatSpendingApproval({ via: 'permit' }, sold, true)).toBe('Unlimited signature')
    expect(formatSpendingApproval({ via: 'approve', amount: 5_000_000n }, sold, false)).toBe(
      'One-time approval',
    )
    expect(formatSpendingApproval({ via: 'approve', amount: 1_500_000_000n }, sold, false)).toBe(
      'Approval up to 1,500 USDC',
    )
    expect(formatSpendingApproval({ via: 'permit2', amount: maxUint256 }, sold, false)).toBe(
      'Unlimited approval',
    )
    expect(formatSpendingApproval({ via: 'permit2', amount: 5_000_000n }, sold, false)).toBe(
      'Approval and signature',
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

describe('describeOffer', () => {
  const sale = { sold: '5 USDC', symbol: 'USDC' }
  const words = (via: 'approve' | 'permit' | 'permit2', isUnlimited = false, fee?: string) =>
    describeOffer({ via, isUnlimited }, { ...sale, fee })

  it('names the choices without the names of standards', () => {
    const names = (['approve', 'permit', 'permit2'] as const).map((via) => words(via).name)
    expect(names).toEqual(['One-time approval', 'Signature, no fee', 'Approval and signature'])
  })

  it('states the fee of an approval only where it is known', () => {
    expect(words('approve').hint).toBe('An extra transaction before the swap.')
    expect(words('approve', false, '$0.12').hint).toBe('Extra transaction, network fee $0.12.')
  })

  it('tells a signature without limit from an exact one', () => {
    expect(words('permit').hint).toMatch(/^For exactly 5 USDC/)
    expect(words('permit', true)).toEqual({
      name: 'Unlimited signature, no fee',
      hint: 'USDC only supports unlimited signatures. The router can take all USDC in this account until you revoke it.',
    })
  })
})
