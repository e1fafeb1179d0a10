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

  it('rejects an amount with ambiguous separators', () => {
    expect(parseAmount('1,234.5', 6)).toBe('ambiguous-separator')
    expect(parseAmount('1.2.3', 6)).toBe('ambiguous-separator')
  })

  it('accepts the other locale’s decimal mark only when it cannot separate thousands', () => {
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

  it('reports the reason for an invalid amount', () => {
    expect(parseAmount('', 6)).toBe('empty')
    expect(parseAmount('.', 6)).toBe('not-a-number')
    expect(parseAmount('1e5', 6)).toBe('not-a-number')
    for (const text of ['1k', '1m', '2.5M', '1,5 Mio.', '3 bn', '1 000k'])
      expect(parseAmount(text, 6), text).toBe('abbreviated')
    for (const text of ['m', '2.5f', '1km', 'k1']) expect(parseAmount(text, 6), text).toBe('not-a-number')
    expect(parseAmount('-1', 6)).toBe('not-a-number')
    expect(parseAmount('0x10', 6)).toBe('not-a-number')
    expect(parseAmount('0.1234567', 6)).toBe('too-many-decimals')
    expect(parseAmount('9'.repeat(80), 0)).toBe('too-large')
  })

  it.each([
    ['Arabic-Indic', '١٢٣٤٥٦٧٨٩٠'],
    ['Eastern Arabic-Indic', '۱۲۳۴۵۶۷۸۹۰'],
    ['full-width', '１２３４５６７８９０'],
    ['Devanagari', '१२३४५६७८९०'],
    ['Bengali', '১২৩৪৫৬৭৮৯০'],
    ['Thai', '๑๒๓๔๕๖๗๘๙๐'],
    ['mathematical bold', '𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗𝟎'],
    ['mathematical monospace', '𝟷𝟸𝟹𝟺𝟻𝟼𝟽𝟾𝟿𝟶'],
    ['Adlam', '𞥑𞥒𞥓𞥔𞥕𞥖𞥗𞥘𞥙𞥐'],
  ])('reads %s digits', (_name, text) => {
    expect(parseAmount(text, 0)).toBe(1_234_567_890n)
    expect(parseAmount(`${text}.${text.slice(0, text.length / 5)}`, 2)).toBe(123_456_789_012n)
  })

  it('reads the separators of Arabic and full-width numbers', () => {
    for (const mark of ['.', ',', undefined] as const) {
      expect(parseAmount('١٫٢٣٤', 6, mark)).toBe(1_234_000n)
      expect(parseAmount('١٬٢٣٤٬٥٦٧٫٨', 6, mark)).toBe(1_234_567_800_000n)
      expect(parseAmount('\u200f١٢٫٥\u200f', 6, mark)).toBe(12_500_000n)
    }
    expect(parseAmount('１．５', 6)).toBe(1_500_000n)
    expect(parseAmount('1。5', 6)).toBe(1_500_000n)
    expect(parseAmount('١،٥', 6)).toBe(1_500_000n)
    expect(parseAmount('１，２３４', 6, '.')).toBe('ambiguous-separator')
    expect(parseAmount('١٬٢٣', 6)).toBe('not-a-number')
  })

  it('accepts inner white space only between groups of three digits', () => {
    for (const text of [
      '1 5',
      '1 23',
      '12 34',
      '1  234',
      '0 123',
      '1234 567',
      '1 234 5',
      '1 .5',
      '1. 5',
      '- 1',
    ])
      expect(parseAmount(text, 18), text).toBe('not-a-number')
    for (const space of [' ', '\u00a0', '\u202f', '\u2009']) {
      expect(parseAmount(` 1${space}234${space}567,5 `, 1)).toBe(12_345_675n)
      expect(parseAmount(`0.123${space}456${space}7`, 7)).toBe(1_234_567n)
    }
  })

  it('rejects characters that only resemble digits', () => {
    for (const text of ['5²', '½', '①', 'Ⅴ', '五', '1٠x', '٪5'])
      expect(parseAmount(text, 18), text).toBe('not-a-number')
  })

  it('parses every amount that formatExact writes', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 256n - 1n), fc.integer({ min: 0, max: 36 }), (amount, decimals) => {
        expect(parseAmount(formatExact(amount, decimals), decimals)).toBe(amount)
      }),
    )
  })
})
