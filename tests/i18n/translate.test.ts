import { afterEach, describe, expect, it } from 'vitest'
import {
  type Catalogue,
  defineMessage,
  plural,
  setLocale,
  spokenLocale,
  t,
  tx,
} from '../../src/i18n/translate.ts'
import { formatAmount, formatPercent } from '../../src/ui/format/numbers.ts'
import { formatUntil } from '../../src/ui/format/time.ts'

const table: Catalogue = new Map<string, string | { one: string; other: string }>([
  ['Not enough {symbol}', 'Nicht genug {symbol}'],
  ['{count} sites', { one: '{count} Website', other: '{count} Websites' }],
  ['{sold} to {bought}', '{bought} für {sold}'],
  ['Fast', 'Schnell'],
  ['{count} days', { one: 'für {count} Tag', other: 'für {count} Tage' }],
])

afterEach(() => setLocale({}))

describe('t and tx', () => {
  it('returns English until another language is set', () => {
    expect(t('Not enough {symbol}', { symbol: 'DAI' })).toBe('Not enough DAI')
    setLocale({ locale: 'de', table })
    expect(t('Not enough {symbol}', { symbol: 'DAI' })).toBe('Nicht genug DAI')
  })

  it('returns English when a translation is missing', () => {
    setLocale({ locale: 'de', table })
    expect(t('Never said before: {what}', { what: 'this' })).toBe('Never said before: this')
    expect(plural(2, '{count} chain', '{count} chains')).toBe('2 chains')
  })

  it('never shows a placeholder when its value is missing', () => {
    expect(t('Not enough {symbol}' as string)).toBe('Not enough ')
    expect(t('Not enough {symbol}' as string, { amount: 1 })).toBe('Not enough ')
  })

  it('inserts values unchanged, including braces', () => {
    expect(t('Not enough {symbol}', { symbol: '{count}' })).toBe('Not enough {count}')
  })

  it('translates a defined message where it is used', () => {
    const names = { fast: defineMessage('Fast') }
    setLocale({ locale: 'de', table })
    expect(t(names.fast)).toBe('Schnell')
  })

  it('places components in the order of the language', () => {
    const values = { sold: { type: 'b' } as never, bought: 'ETH' }
    expect(tx('{sold} to {bought}', values)).toEqual(['', values.sold, ' to ', 'ETH', ''])
    setLocale({ locale: 'de', table })
    expect(tx('{sold} to {bought}', values)).toEqual(['', 'ETH', ' für ', values.sold, ''])
  })
})

describe('plural', () => {
  it('selects the form for the number', () => {
    expect([0, 1, 2].map((count) => plural(count, '{count} site', '{count} sites'))).toEqual([
      '0 sites',
      '1 site',
      '2 sites',
    ])
    setLocale({ locale: 'de', table })
    expect([0, 1, 1_234].map((count) => plural(count, '{count} site', '{count} sites'))).toEqual([
      '0 Websites',
      '1 Website',
      '1.234 Websites',
    ])
  })

  it('supports all plural categories of a language', () => {
    const forms = { zero: 'صفر', one: 'واحد', two: 'اثنان', few: 'قليل', many: 'كثير', other: 'آخر' }
    setLocale({ locale: 'ar-u-nu-latn', table: new Map([['{count} sites', forms]]) })
    const say = (count: number) => plural(count, '{count} site', '{count} sites')
    expect([0, 1, 2, 3, 11, 100].map(say)).toEqual(Object.values(forms))
  })

  it('falls back to the form "other"', () => {
    setLocale({ locale: 'ar', table: new Map([['{count} sites', { other: 'مواقع' }]]) })
    expect(plural(2, '{count} site', '{count} sites')).toBe('مواقع')
  })
})

describe('right-to-left languages', () => {
  it('isolates values from the surrounding text', () => {
    setLocale({ locale: 'ar', table: new Map([['Not enough {symbol}', 'لا يكفي {symbol}']]), dir: 'rtl' })
    expect(t('Not enough {symbol}', { symbol: 'DAI' })).toBe('لا يكفي \u2068DAI\u2069')
    const node = { type: 'b' } as never
    expect(tx('Not enough {symbol}', { symbol: node })).toEqual(['لا يكفي ', node, ''])
  })
})

describe('numbers', () => {
  it('formats amounts, percentages and durations in the current language', () => {
    setLocale({ locale: 'de', table })
    expect(spokenLocale()).toBe('de')
    expect(formatAmount(3_021_440_000n, 6)).toBe('3.021,44')
    expect(formatPercent(50)).toBe('0,5\u00a0%')
    expect(formatUntil(86_400n, 0)).toBe('für 1 Tag')
  })

  it('keeps Latin digits when the locale requests them', () => {
    setLocale({ locale: 'ar-EG-u-nu-latn' })
    expect(formatAmount(1_500n, 0)).toMatch(/^[0-9.,]+$/)
  })
})
