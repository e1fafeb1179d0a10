import { describe, expect, it } from 'vitest'
import type { Token } from '../../src/domain/token.ts'
import { faultOfAmount } from '../../src/ui/amountFault.ts'
import { token, usdc } from '../state/standIns.ts'

const held = { [usdc.address]: 5_000_000n }
const selling = (text: string, sell: Token | undefined = usdc) =>
  faultOfAmount({ chainId: 31337, sell, buy: undefined, text, slippageBps: undefined }, held)

describe('a typed amount', () => {
  it.each(['', '0', '1.', '4,5', '5.000000'])('%j has no fault', (text) => {
    expect(selling(text)).toBeUndefined()
  })

  it('with more decimals than its token has is told the token and the limit', () => {
    expect(selling('1.0000001')).toBe('USDC has 6 decimals.')
    expect(selling('1.5', token('7', 'DROP', 0))).toBe('DROP has no decimals.')
    expect(selling('1.25', token('7', 'DIME', 1))).toBe('DIME has 1 decimal.')
  })

  it('that is more than is held is told what is held', () => {
    expect(selling('5.000001')).toBe('You have 5 USDC.')
    expect(selling('1000', token('7', 'DROP', 18))).toBeUndefined()
  })

  it('that cannot be read is told how to write one', () => {
    expect(selling('ten')).toMatch(/digits/)
    expect(selling('1,234.5')).toMatch(/1234\.5/)
    expect(selling('9'.repeat(80))).toMatch(/so much USDC/)
  })
})
