import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatExact, parseAmount } from '../../../src/domain/token/amount.ts'

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

  it('takes the mark that is not the place’s for decimals only where it can be nothing else', () => {
    const there = (text: string) => [
      parseAmount(text, 6, '.'),
      parseAmount(text.replace(/[.,]/, swap), 6, ','),
    ]
    const swap = (mark: string) => (mark === ',' ? '.' : ',')
    for (const text of ['1,234', ' 12,345 ', '999,000'])
      expect(there(text)).toEqual(['ambiguous-separator', 'ambiguous-separator'])
    for (const [text, amount] of [
      ['1.234', 1_234_000n],
      ['1,23', 1_230_000n],
      ['1,2345', 1_234_500n],
      ['1,', 1_000_000n],
      ['0,123', 123_000n],
      [',123', 123_000n],
      ['1234,567', 1_234_567_000n],
      ['1 234,567', 1_234_567_000n],
    ] as const)
      expect(there(text)).toEqual([amount, amount])
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
