import { describe, expect, it } from 'vitest'
import type { CurrencyRate } from '../../../src/domain/value/currency.ts'
import { formatCompactValue, formatMaxValue, formatPrice, formatValue } from '../../../src/ui/format/value.ts'

const cent = 1_000_000n
const euro: CurrencyRate = { currency: 'EUR', usd: 125_000_000n }
const yen: CurrencyRate = { currency: 'JPY', usd: 640_000n }

describe('formatValue', () => {
  it('rounds to the cent, half up', () => {
    expect(formatValue(123_456n * cent + cent / 2n, undefined, 'en')).toBe('$1,234.57')
    expect(formatValue(123_456n * cent + cent / 2n - 1n, undefined, 'en')).toBe('$1,234.56')
  })

  it('tells nothing from less than a cent', () => {
    expect(formatValue(0n, undefined, 'en')).toBe('$0.00')
    expect(formatValue(1n, undefined, 'en')).toBe('<$0.01')
    expect(formatValue(cent / 2n, undefined, 'en')).toBe('$0.01')
  })

  it('keeps every digit of amounts beyond the range of floats', () => {
    expect(formatValue(12_345_678_901_234_567_890n * cent, undefined, 'en')).toBe(
      '$123,456,789,012,345,678.90',
    )
  })

  it('converts by the rate, in the currency’s smallest unit', () => {
    expect(formatValue(100n * 100_000_000n, euro, 'en')).toBe('€80.00')
    expect(formatValue(100n * 100_000_000n, yen, 'en')).toBe('¥15,625')
    expect(formatValue(1_234n * 100_000_000n, euro, 'de')).toBe('987,20\u00a0€')
  })

  it('writes the currency’s sign alone in Arabic, where letters beside it would change places', () => {
    expect(formatValue(1_234n * 100_000_000n, undefined, 'ar')).toBe('\u200f1,234.00\u00a0$')
    expect(formatValue(100n * 100_000_000n, yen, 'ar')).toBe('\u200f15,625\u00a0¥')
  })

  it('writes losses with a sign', () => {
    expect(formatValue(-5n * 100_000_000n, undefined, 'en')).toBe('-$5.00')
  })
})

describe('formatCompactValue', () => {
  it('shortens from a million on', () => {
    expect(formatCompactValue(999_999n * 100_000_000n, undefined, 'en')).toBe('$999,999.00')
    expect(formatCompactValue(1_234_567n * 100_000_000n, undefined, 'en')).toBe('$1.23M')
  })
})

describe('formatPrice', () => {
  it('keeps four digits of a cheap token, and cents of others', () => {
    expect(formatPrice(312_345_678_901n, undefined, 'en')).toBe('$3,123.46')
    expect(formatPrice(1_234n, undefined, 'en')).toBe('$0.00001234')
    expect(formatPrice(99_985_000n, undefined, 'en')).toBe('$0.9999')
    expect(formatPrice(1n, undefined, 'en')).toBe('$0.00000001')
    expect(formatPrice(1_000_000n, euro, 'en')).toBe('€0.008')
  })

  it('says that a price too small to write is not zero', () => {
    expect(formatPrice(1n, { currency: 'EUR', usd: 1_000_000_000n }, 'en')).toBe('<€0.01')
  })
})

describe('formatMaxValue', () => {
  const price = { usd: 300_000_000_000n, per: 10n ** 18n }

  it('rounds up whatever exceeds a unit, by a single wei too', () => {
    const penny = 10n ** 18n / 300_000n
    expect(formatMaxValue(penny, price, undefined, 'en')).toBe('$0.01')
    expect(formatMaxValue(penny + 1n, price, undefined, 'en')).toBe('$0.02')
    expect(formatMaxValue(1n, price, undefined, 'en')).toBe('$0.01')
    expect(formatMaxValue(0n, price, undefined, 'en')).toBe('$0.00')
  })

  it('rounds up once, in the smallest unit of the currency', () => {
    expect(formatMaxValue(10n ** 18n, price, euro, 'en')).toBe('€2,400.00')
    expect(formatMaxValue(10n ** 18n + 1n, price, euro, 'en')).toBe('€2,400.01')
    expect(formatMaxValue(1n, price, yen, 'en')).toBe('¥1')
  })
})
