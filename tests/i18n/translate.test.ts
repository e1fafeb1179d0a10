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

describe('a text', () => {
  it('is English until another language is spoken', () => {
    expect(t('Not enough {symbol}', { symbol: 'DAI' })).toBe('Not enough DAI')
    setLocale({ locale: 'de', table })
    expect(t('Not enough {symbol}', { symbol: 'DAI' })).toBe('Nicht genug DAI')
  })

  it('stays English where the language does not have it', () => {
    setLocale({ locale: 'de', table })
    expect(t('Never said before: {what}', { what: 'this' })).toBe('Never said before: this')
    expect(plural(2, '{count} chain', '{count} chains')).toBe('2 chains')
  })

  it('never shows a placeholder', () => {
    expect(t('Not enough {symbol}' as string)).toBe('Not enough ')
    expect(t('Not enough {symbol}' as string, { amount: 1 })).toBe('Not enough ')
  })

  it('leaves values as they are, braces and all', () => {
    expect(t('Not enough {symbol}', { symbol: '{count}' })).toBe('Not enough {count}')
  })

  it('of a table is translated where it is used', () => {
    const names = { fast: defineMessage('Fast') }
    setLocale({ locale: 'de', table })
    expect(t(names.fast)).toBe('Schnell')
  })

  it('puts components where the language wants them', () => {
    const values = { sold: { type: 'b' } as never, bought: 'ETH' }
    expect(tx('{sold} to {bought}', values)).toEqual(['', values.sold, ' to ', 'ETH', ''])
    setLocale({ locale: 'de', table })
    expect(tx('{sold} to {bought}', values)).toEqual(['', 'ETH', ' für ', values.sold, ''])
  })
})

describe('a text that counts', () => {
  it('has the form of its number', () => {
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

  it('has as many forms as the language counts by', () => {
    const forms = { zero: 'صفر', one: 'واحد', two: 'اثنان', few: 'قليل', many: 'كثير', other: 'آخر' }
    setLocale({ locale: 'ar-u-nu-latn', table: new Map([['{count} sites', forms]]) })
    const say = (count: number) => plural(count, '{count} site', '{count} sites')
    expect([0, 1, 2, 3, 11, 100].map(say)).toEqual(Object.values(forms))
  })

  it('falls back to the form for all others', () => {
    setLocale({ locale: 'ar', table: new Map([['{count} sites', { other: 'مواقع' }]]) })
    expect(plural(2, '{count} site', '{count} sites')).toBe('مواقع')
  })
})

describe('a language that runs from right to left', () => {
  it('keeps values apart from the words around them', () => {
    setLocale({ locale: 'ar', table: new Map([['Not enough {symbol}', 'لا يكفي {symbol}']]), dir: 'rtl' })
    expect(t('Not enough {symbol}', { symbol: 'DAI' })).toBe('لا يكفي \u2068DAI\u2069')
    const node = { type: 'b' } as never
    expect(tx('Not enough {symbol}', { symbol: node })).toEqual(['لا يكفي ', node, ''])
  })
})

describe('numbers', () => {
  it('are written as the language does', () => {
    setLocale({ locale: 'de', table })
    expect(spokenLocale()).toBe('de')
    expect(formatAmount(3_021_440_000n, 6)).toBe('3.021,44')
    expect(formatPercent(50)).toBe('0,5\u00a0%')
    expect(formatUntil(86_400n, 0)).toBe('für 1 Tag')
  })

  it('keep the digits that amounts are typed in', () => {
    setLocale({ locale: 'ar-EG-u-nu-latn' })
    expect(formatAmount(1_500n, 0)).toMatch(/^[0-9.,]+$/)
  })
})
