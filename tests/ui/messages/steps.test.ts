import { describe, expect, it } from 'vitest'
import { signatureTitle, stepTitle } from '../../../src/ui/messages/steps.ts'

const facts = {
  sell: { symbol: 'USDC', decimals: 6, amount: 100_000_000n },
  buy: { symbol: 'ETH', decimals: 18, amount: 3n * 10n ** 16n },
}

describe('a step in words', () => {
  it('says what is allowed and what comes back', () => {
    expect(stepTitle('reset', facts)).toBe('Revoke the router’s existing USDC allowance')
    expect(stepTitle('approve', facts)).toBe('Approve exactly 100 USDC for the router')
    expect(stepTitle('swap', facts)).toBe('Swap 100 USDC for at least 0.03 ETH')
  })

  it('says when more is allowed than the swap takes', () => {
    const approve = (amount: bigint) =>
      stepTitle('approve', { ...facts, permission: { via: 'approve', amount } })
    expect(approve(100_000_000n)).toBe('Approve exactly 100 USDC for the router')
    expect(approve(1_000_000_000n)).toBe('Approve up to 1,000 USDC for the router')
    expect(approve(2n ** 256n - 1n)).toBe('Approve unlimited USDC for the router')
  })

  it('names who is allowed', () => {
    const permission = { via: 'permit2', amount: 100_000_000n } as const
    expect(stepTitle('approve', { ...facts, permission })).toBe('Approve exactly 100 USDC for Permit2')
    expect(stepTitle('reset', { ...facts, permission })).toBe('Revoke Permit2’s existing USDC allowance')
  })

  it('turns a coin into its token', () => {
    const sell = { symbol: 'ETH', decimals: 18, amount: 10n ** 18n }
    expect(stepTitle('wrap', { sell, buy: { ...sell, symbol: 'WETH' } })).toBe('Convert 1 ETH to 1 WETH')
  })
})

describe('a signature in words', () => {
  it('is for exactly what is sold, or for all there is', () => {
    const permit = { ...facts, permission: { via: 'permit' } } as const
    expect(signatureTitle({ ...permit, isForAll: false })).toBe('Sign a permit for exactly 100 USDC')
    expect(signatureTitle({ ...permit, isForAll: true })).toBe('Sign an unlimited USDC permit')
    expect(signatureTitle(permit)).toBe('Sign a USDC permit')
  })

  it('is for Permit2 where that hands the tokens over', () => {
    const permission = { via: 'permit2', amount: 2n ** 256n - 1n } as const
    expect(signatureTitle({ ...facts, permission })).toBe('Sign a Permit2 transfer of exactly 100 USDC')
  })

  it('is none where a transaction allows it', () => {
    expect(signatureTitle(facts)).toBeUndefined()
    expect(signatureTitle({ ...facts, permission: { via: 'approve', amount: 1n } })).toBeUndefined()
  })
})
