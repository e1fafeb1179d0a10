import { describe, expect, it } from 'vitest'
import type { Token } from '../../../../src/domain/token/token.ts'
import { emptyForm } from '../../../../src/state/swap/swapForm.ts'
import { parseAgain, validateAmount, validateSale } from '../../../../src/ui/messages/errors/amountErrors.ts'
import { token, usdc } from '../../../helpers/state/fakes.ts'

const selling = (text: string, sell: Token | undefined = usdc) =>
  validateAmount({ ...emptyForm, chainId: 31337, sell, text })

describe('a typed amount', () => {
  it.each(['', '0', '1.', '4,5', '5.000000'])('%j has no fault', (text) => {
    expect(selling(text)).toBeUndefined()
  })

  it('with more decimals than its token has is told the token and the limit', () => {
    expect(selling('1.0000001')).toBe('USDC supports up to 6 decimal places.')
    expect(selling('1.5', token('7', 'DROP', 0))).toBe('DROP doesn’t support decimals.')
    expect(selling('1.25', token('7', 'DIME', 1))).toBe('DIME supports up to 1 decimal place.')
  })

  it('that is more than is held is told what is held', () => {
    expect(validateSale(5_000_001n, 5_000_000n, usdc)).toBe('Insufficient balance: 5 USDC available.')
    expect(validateSale(5_000_000n, 5_000_000n, usdc)).toBeUndefined()
    expect(validateSale(1_000n, undefined, token('7', 'DROP', 18))).toBeUndefined()
    expect(validateSale(undefined, 1n, usdc)).toBeUndefined()
  })

  it('to receive is read as one of the bought token', () => {
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

  it('whose mark may set thousands apart is refused where that is not the decimal mark', () => {
    const there = (text: string, decimalMark: '.' | ',') =>
      validateAmount({ ...emptyForm, chainId: 31337, sell: usdc, text, decimalMark })
    expect(there('1,234', '.')).toMatch(/1234\.5/)
    expect(there('1.234', ',')).toMatch(/1234\.5/)
    expect([there('1.234', '.'), there('1,234', ',')]).toEqual([undefined, undefined])
  })

  it('that cannot be read is told how to write one', () => {
    expect(selling('ten')).toMatch(/only digits/)
    expect(selling('1,234.5')).toMatch(/1234\.5/)
    expect(selling('9'.repeat(80))).toMatch(/maximum possible USDC amount/)
  })
})

describe('an amount that is typed again', () => {
  const amount = 1_234_500_000n

  it.each(['1234.5', '1234,5', '1,234.5', ' 1234.500000 '])('is the same as %j', (text) => {
    expect(parseAgain(text, amount, usdc).isSame).toBe(true)
  })

  it('is read as it stands on the screen, with its mark for thousands', () => {
    expect(parseAgain('1,234', 1_234_000_000n, usdc)).toEqual({ isSame: true })
    expect(parseAgain('1,234', 1_234_000n, usdc).isSame).toBe(false)
  })

  it('is told what is wrong with it, but not that it is another or not there yet', () => {
    expect(parseAgain('1,2,3', amount, usdc).fault).toMatch(/1234\.5/)
    expect(parseAgain('5', amount, usdc)).toEqual({ isSame: false, fault: undefined })
    expect(parseAgain('', amount, usdc)).toEqual({ isSame: false, fault: undefined })
  })
})
