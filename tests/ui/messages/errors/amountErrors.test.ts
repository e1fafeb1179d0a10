import { describe, expect, it } from 'vitest'
import type { Token } from '../../../../src/domain/token/token.ts'
import { emptyForm } from '../../../../src/state/swap/swapForm.ts'
import { parseAgain, validateAmount, validateSale } from '../../../../src/ui/messages/errors/amountErrors.ts'
import { token, usdc } from '../../../helpers/state/fakes.ts'

const selling = (text: string, sell: Token | undefined = usdc) =>
  validateAmount({ ...emptyForm, chainId: 31337, sell, text })

describe('amount validation', () => {
  it.each(['', '0', '1.', '4,5', '5.000000'])('accepts %j', (text) => {
    expect(selling(text)).toBeUndefined()
  })

  it('rejects more decimals than the token has, naming the token and the limit', () => {
    expect(selling('1.0000001')).toBe('USDC supports up to 6 decimal places.')
    expect(selling('1.5', token('7', 'DROP', 0))).toBe('DROP doesn’t support decimals.')
    expect(selling('1.25', token('7', 'DIME', 1))).toBe('DIME supports up to 1 decimal place.')
  })

  it('rejects a sale above the balance and shows the balance', () => {
    expect(validateSale(5_000_001n, 5_000_000n, usdc)).toBe('Insufficient balance: 5 USDC available.')
    expect(validateSale(5_000_000n, 5_000_000n, usdc)).toBeUndefined()
    expect(validateSale(1_000n, undefined, token('7', 'DROP', 18))).toBeUndefined()
    expect(validateSale(undefined, 1n, usdc)).toBeUndefined()
  })

  it('validates an amount to receive with the decimals of the bought token', () => {
    const buying = {
      ...emptyForm,
      chainId: 31337,
      sell: token('7', 'DROP', 0),
      buy: usdc,
      side: 'buy' as const,
    }
    expect(validateAmount({ ...buying, text: '1.5' })).toBeUndefined()
    expect(validateAmount({ ...buying, text: '1.0000001' })).toBe('USDC supports up to 6 decimal places.')
  })

  it('rejects a possible thousands separator that is not the decimal mark', () => {
    const there = (text: string, decimalMark: '.' | ',') =>
      validateAmount({ ...emptyForm, chainId: 31337, sell: usdc, text, decimalMark })
    expect(there('1,234', '.')).toMatch(/1234\.5/)
    expect(there('1.234', ',')).toMatch(/1234\.5/)
    expect([there('1.234', '.'), there('1,234', ',')]).toEqual([undefined, undefined])
  })

  it('explains why an amount cannot be parsed', () => {
    expect(selling('ten')).toMatch(/only digits/)
    expect(selling('1,234.5')).toMatch(/1234\.5/)
    expect(selling('9'.repeat(80))).toMatch(/maximum possible USDC amount/)
  })
})

describe('parseAgain', () => {
  const amount = 1_234_500_000n

  it.each(['1234.5', '1234,5', '1,234.5', ' 1234.500000 '])('accepts %j as the same amount', (text) => {
    expect(parseAgain(text, amount, usdc).isSame).toBe(true)
  })

  it('reads a comma as a thousands separator, as in the displayed amount', () => {
    expect(parseAgain('1,234', 1_234_000_000n, usdc)).toEqual({ isSame: true })
    expect(parseAgain('1,234', 1_234_000n, usdc).isSame).toBe(false)
  })

  it('returns an error for an unreadable amount, but none for a different or empty one', () => {
    expect(parseAgain('1,2,3', amount, usdc).fault).toMatch(/1234\.5/)
    expect(parseAgain('5', amount, usdc)).toEqual({ isSame: false, fault: undefined })
    expect(parseAgain('', amount, usdc)).toEqual({ isSame: false, fault: undefined })
  })
})
