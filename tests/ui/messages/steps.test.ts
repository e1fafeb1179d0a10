import { describe, expect, it } from 'vitest'
import { signatureTitle, stepTitle } from '../../../src/ui/messages/steps.ts'

const facts = {
  sell: { symbol: 'USDC', decimals: 6, amount: 100_000_000n },
  buy: { symbol: 'ETH', decimals: 18, amount: 3n * 10n ** 16n },
}

describe('a step in words', () => {
  it('says what is allowed and what comes back', () => {
    expect(stepTitle('reset', facts)).toBe('Take back the old permission of the router for USDC')
    expect(stepTitle('approve', facts)).toBe('Let the router take exactly 100 USDC')
    expect(stepTitle('swap', facts)).toBe('Swap 100 USDC for at least 0.03 ETH')
  })

  it('says when more is allowed than the swap takes', () => {
    const approve = (amount: bigint) =>
      stepTitle('approve', { ...facts, permission: { via: 'approve', amount } })
    expect(approve(100_000_000n)).toBe('Let the router take exactly 100 USDC')
    expect(approve(1_000_000_000n)).toBe('Let the router take up to 1,000 USDC')
    expect(approve(2n ** 256n - 1n)).toBe('Let the router take any amount of USDC')
  })

  it('names who is allowed', () => {
    const permission = { via: 'permit2', amount: 100_000_000n } as const
    expect(stepTitle('approve', { ...facts, permission })).toBe('Let Permit2 take exactly 100 USDC')
    expect(stepTitle('reset', { ...facts, permission })).toBe(
      'Take back the old permission of Permit2 for USDC',
    )
  })

  it('turns a coin into its token', () => {
    const sell = { symbol: 'ETH', decimals: 18, amount: 10n ** 18n }
    expect(stepTitle('wrap', { sell, buy: { ...sell, symbol: 'WETH' } })).toBe('Turn 1 ETH into 1 WETH')
  })
})

describe('a signature in words', () => {
  it('is for exactly what is sold, or for all there is', () => {
    const permit = { ...facts, permission: { via: 'permit' } } as const
    expect(signatureTitle({ ...permit, isForAll: false })).toBe('Sign a permit for exactly 100 USDC')
    expect(signatureTitle({ ...permit, isForAll: true })).toBe('Sign a permit for all your USDC')
    expect(signatureTitle(permit)).toBe('Sign a permit for USDC')
  })

  it('is for Permit2 where that hands the tokens over', () => {
    const permission = { via: 'permit2', amount: 2n ** 256n - 1n } as const
    expect(signatureTitle({ ...facts, permission })).toBe('Sign for Permit2 to hand over exactly 100 USDC')
  })

  it('is none where a transaction allows it', () => {
    expect(signatureTitle(facts)).toBeUndefined()
    expect(signatureTitle({ ...facts, permission: { via: 'approve', amount: 1n } })).toBeUndefined()
  })
})
