import { describe, expect, it } from 'vitest'
import { signatureTitle, stepTitle } from '../../../src/ui/messages/steps.ts'

const facts = {
  sell: { symbol: 'USDC', decimals: 6, amount: 100_000_000n },
  buy: { symbol: 'ETH', decimals: 18, amount: 3n * 10n ** 16n },
}

describe('stepTitle', () => {
  it('names the allowance, the sold amount and the minimum received', () => {
    expect(stepTitle('reset', facts)).toBe('Revoke the router’s existing USDC allowance')
    expect(stepTitle('approve', facts)).toBe('Approve exactly 100 USDC for the router')
    expect(stepTitle('swap', facts)).toBe('Swap 100 USDC for at least 0.03 ETH')
  })

  it('shows when the allowance exceeds the sold amount', () => {
    const approve = (amount: bigint) =>
      stepTitle('approve', { ...facts, permission: { via: 'approve', amount } })
    expect(approve(100_000_000n)).toBe('Approve exactly 100 USDC for the router')
    expect(approve(1_000_000_000n)).toBe('Approve up to 1,000 USDC for the router')
    expect(approve(2n ** 256n - 1n)).toBe('Approve unlimited USDC for the router')
  })

  it('names Permit2 as the spender', () => {
    const permission = { via: 'permit2', amount: 100_000_000n } as const
    expect(stepTitle('approve', { ...facts, permission })).toBe('Approve exactly 100 USDC for Permit2')
    expect(stepTitle('reset', { ...facts, permission })).toBe('Revoke Permit2’s existing USDC allowance')
  })

  it('describes a wrap as a conversion of the native token', () => {
    const sell = { symbol: 'ETH', decimals: 18, amount: 10n ** 18n }
    expect(stepTitle('wrap', { sell, buy: { ...sell, symbol: 'WETH' } })).toBe('Convert 1 ETH to 1 WETH')
  })
})

describe('signatureTitle', () => {
  it('states whether a permit is for the exact amount or unlimited', () => {
    const permit = { ...facts, permission: { via: 'permit' } } as const
    expect(signatureTitle({ ...permit, isForAll: false })).toBe('Sign an approval of exactly 100 USDC')
    expect(signatureTitle({ ...permit, isForAll: true })).toBe('Sign an unlimited USDC approval')
    expect(signatureTitle(permit)).toBe('Sign a USDC approval')
  })

  it('describes a Permit2 signature as an approval of the exact amount, whatever Permit2 may take', () => {
    const permission = { via: 'permit2', amount: 2n ** 256n - 1n } as const
    expect(signatureTitle({ ...facts, permission })).toBe('Sign an approval of exactly 100 USDC')
  })

  it('returns nothing when the approval is a transaction', () => {
    expect(signatureTitle(facts)).toBeUndefined()
    expect(signatureTitle({ ...facts, permission: { via: 'approve', amount: 1n } })).toBeUndefined()
  })
})
