import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatExact, parseAmount } from '../../src/domain/amount.ts'

describe('parseAmount', () => {
  it('reads a dot and a comma as the decimal mark', () => {
    expect(parseAmount('1.5', 6)).toBe(1_500_000n)
    expect(parseAmount('1,5', 6)).toBe(1_500_000n)
    expect(parseAmount('.5', 6)).toBe(500_000n)
    expect(parseAmount('7.', 6)).toBe(7_000_000n)
  })

  it('refuses to guess between a thousands and a decimal mark', () => {
    expect(parseAmount('1,234.5', 6)).toBe('ambiguous-separator')
    expect(parseAmount('1.2.3', 6)).toBe('ambiguous-separator')
  })

  it('says what is wrong with everything else', () => {
    expect(parseAmount('', 6)).toBe('empty')
    expect(parseAmount('.', 6)).toBe('not-a-number')
    expect(parseAmount('1e5', 6)).toBe('not-a-number')
    expect(parseAmount('-1', 6)).toBe('not-a-number')
    expect(parseAmount('0x10', 6)).toBe('not-a-number')
    expect(parseAmount('0.1234567', 6)).toBe('too-many-decimals')
    expect(parseAmount('9'.repeat(80), 0)).toBe('too-large')
  })

  it('reads back every amount that formatExact writes', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 256n - 1n), fc.integer({ min: 0, max: 36 }), (amount, decimals) => {
        expect(parseAmount(formatExact(amount, decimals), decimals)).toBe(amount)
      }),
    )
  })
})
