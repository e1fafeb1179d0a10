import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAmount } from '../../../src/domain/token/amount.ts'
import { nativeTokenAddress } from '../../../src/domain/token/token.ts'
import {
  caretInGroups,
  decimalMark,
  formatAmount,
  formatCompact,
  formatInteger,
  formatPercent,
  formatRate,
  formatShare,
  formatWithSymbol,
  groupShown,
  groupTyped,
  readGrouped,
} from '../../../src/ui/format/numbers.ts'

const inEnglish = (amount: bigint, decimals: number) => formatAmount(amount, decimals, 'en')

describe('formatted amounts', () => {
  it.each([
    [0n, 18, '0'],
    [3_021_440_000n, 6, '3,021.44'],
    [1_234_567_890_123_456_789n, 18, '1.23456'],
    [1_500_000n, 6, '1.5'],
    [12_345_678_912_345n, 6, '12,345,678.91'],
    [1n, 18, '<0.00000001'],
    [123_456_789_000n, 18, '0.00000012'],
    [330_123_456_789_000n, 18, '0.00033012'],
    [999_999_999n, 9, '0.999999'],
    [42n, 0, '42'],
    [123_456_789_012_345_678_901n, 0, '1.23456e20'],
  ])('formats %s with %s decimals as %s', (amount, decimals, text) => {
    expect(inEnglish(amount, decimals)).toBe(text)
  })

  it.each([
    [1_234_567_890_123_120_000n, 6, 'en', '1.23T'],
    [1_999_999n, 0, 'en', '1.99M'],
    [999_999_990_000n, 6, 'en', '999,999.99'],
    [12_345_678n, 0, 'de', '12,34\u00a0Mio.'],
    [123_456_789_012_345_678_901n, 0, 'en', '1.23456e20'],
  ])('formats %s with %s decimals compactly, in locale %s, as %s', (amount, decimals, locale, text) => {
    expect(formatCompact(amount, decimals, locale)).toBe(text)
  })

  it('shows wei when an amount of the native token is below the smallest displayed unit', () => {
    const unit = { address: nativeTokenAddress, symbol: 'ETH', decimals: 18 }
    for (const isExact of [true, false]) {
      expect(formatWithSymbol(1n, unit, isExact)).toBe('1 wei')
      expect(formatWithSymbol(9_999_999_999n, unit, isExact)).toBe('9,999,999,999 wei')
    }
    expect(formatWithSymbol(10_000_000_000n, unit, true)).toBe('0.00000001 ETH')
    const token = { ...unit, address: `0x${'70'.repeat(20)}`, symbol: 'DAI' } as const
    expect(formatWithSymbol(1n, token, true)).toBe('0.000000000000000001 DAI')
    expect(formatWithSymbol(1n, token, false)).toBe('<0.00000001 DAI')
    expect(formatWithSymbol(0n, unit, true)).toBe('0 ETH')
  })

  it('uses the separators of the locale', () => {
    expect(formatAmount(3_021_440_000n, 6, 'de')).toBe('3.021,44')
    expect(decimalMark('de')).toBe(',')
    expect(decimalMark('en')).toBe('.')
  })

  it('rounds down by at most 1/10,000 of the amount plus the last shown decimal place', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 30n), fc.integer({ min: 0, max: 18 }), (amount, decimals) => {
        const text = inEnglish(amount, decimals).replaceAll(',', '')
        if (text.startsWith('<') || text.includes('e')) return
        const shown = parseAmount(text, decimals)
        if (typeof shown !== 'bigint') throw new Error(`${text} is not an amount: ${shown}`)
        expect(shown).toBeLessThanOrEqual(amount)
        // At most eight decimals are shown; the rest is below the last one.
        const place = decimals > 8 ? 10n ** BigInt(decimals - 8) : 1n
        expect(amount - shown).toBeLessThanOrEqual(amount / 10_000n + place)
      }),
    )
  })

  it('formatInteger shows every digit, grouped', () => {
    expect(formatInteger(1_234_567_890_123_456_789n, 18, 'en')).toBe('1.234567890123456789')
    expect(formatInteger(12_345n * 10n ** 6n, 6, 'en')).toBe('12,345')
  })
})

describe('formatRate', () => {
  const eth = { amount: 5n * 10n ** 17n, decimals: 18 }
  const usdc = { amount: 1_510_720_000n, decimals: 6 }

  it('returns the price of one whole unit, in both directions', () => {
    expect(formatRate(eth, usdc, 'en')).toBe('3,021.44')
    expect(formatRate(usdc, eth, 'en')).toBe('0.00033096')
  })

  it('returns zero for a zero amount', () => {
    expect(formatRate({ amount: 0n, decimals: 6 }, eth, 'en')).toBe('0')
  })
})

describe('formatShare', () => {
  it('shows neither a tiny share as nothing nor an almost whole one as the whole', () => {
    const shares = [0, 1e-9, 0.00005, 0.1626, 0.99999, 1 - 2e-16, 1, 1 + 2e-16]
    expect(shares.map((share) => formatShare(share, 'en'))).toEqual([
      '0%',
      '<0.01%',
      '0.01%',
      '16.26%',
      '99.99%',
      '100%',
      '100%',
      '100%',
    ])
  })
})

describe('formatPercent', () => {
  it('formats basis points as a percentage', () => {
    expect([1, 10, 50, 125, 5_000].map((bps) => formatPercent(bps, 'en'))).toEqual([
      '0.01%',
      '0.1%',
      '0.5%',
      '1.25%',
      '50%',
    ])
  })
})

describe('typed amounts', () => {
  const gap = '\u202f'

  it.each([
    ['', ''],
    ['123', '123'],
    ['1234', `1${gap}234`],
    ['1234.56789', `1${gap}234.56789`],
    ['12345', `12${gap}345`],
    ['1234567,', `1${gap}234${gap}567,`],
    ['100000.000001', `100${gap}000.000001`],
    ['12 345', '12 345'],
    ['12345k', '12345k'],
    ['1,234.5', '1,234.5'],
  ])('groups the digits of %j, and nothing else', (typed, shown) => expect(groupTyped(typed)).toBe(shown))

  it('shows a typed amount grouped like any other, with all its digits', () => {
    const typed = ['999', '1234.50', '1234,5', '1234567.', '1.234', '12345k']
    expect(typed.map((text) => groupShown(text, 'en'))).toEqual([
      '999',
      '1,234.50',
      '1,234.5',
      '1,234,567.',
      '1.234',
      '12345k',
    ])
    expect(groupShown('1234,5', 'de')).toBe('1.234,5')
  })

  it('reads a grouped amount back to the same text and value', () => {
    const typed = fc.tuple(fc.bigInt(0n, 10n ** 30n), fc.constantFrom('', '.', ',', '.5', ',000001'))
    fc.assert(
      fc.property(typed, ([whole, rest]) => {
        const text = whole + rest
        const shown = { text: groupTyped(text), caret: groupTyped(text).length }
        expect(readGrouped(shown, text)).toEqual({ text, caret: text.length })
        expect(parseAmount(shown.text, 18)).toEqual(parseAmount(text, 18))
      }),
    )
  })

  it('inserts a digit at the caret and keeps the caret behind it', () => {
    const next = readGrouped({ text: `129${gap}345`, caret: 3 }, '12345', {
      inputType: 'insertText',
      start: 2,
    })
    expect(next).toEqual({ text: '129345', caret: 3 })
    expect([groupTyped(next.text), caretInGroups(next)]).toEqual([`129${gap}345`, 3])
    const insert = { inputType: 'insertText', start: 5 }
    const after = readGrouped({ text: `129${gap}3845`, caret: 6 }, '129345', insert)
    expect([groupTyped(after.text), caretInGroups(after)]).toEqual([`1${gap}293${gap}845`, 7])
  })

  it('deletes the adjacent digit when a key deletes a group separator', () => {
    const [back, forth] = [{ inputType: 'deleteContentBackward' }, { inputType: 'deleteContentForward' }]
    expect(readGrouped({ text: '12345', caret: 2 }, '12345', back)).toEqual({ text: '1345', caret: 1 })
    expect(readGrouped({ text: '12345', caret: 2 }, '12345', forth)).toEqual({ text: '1245', caret: 2 })
    const digit = readGrouped({ text: `12${gap}34`, caret: 5 }, '12345', back)
    expect(digit).toEqual({ text: '1234', caret: 4 })
  })

  it('deletes a selection that contains group separators', () => {
    for (const inputType of ['deleteContentBackward', 'deleteByCut', 'deleteWordForward']) {
      const next = readGrouped({ text: `1${gap}5`, caret: 3 }, '1500000', { inputType })
      expect(next).toEqual({ text: '15', caret: 2 })
    }
  })

  it.each([
    ['over the whole amount', '12345', `1${gap}5`, 3, 0],
    ['over an amount that begins alike', '1500000', `1${gap}5`, 3, 0],
    ['over an amount that ends alike', '12345', `1${gap}5345`, 3, 0],
    ['behind the amount', '12345', `12${gap}345${gap}5`, 8, 6],
    ['into its middle', '12345', `1${gap}52${gap}345`, 3, 1],
    ['without a known place', '1500000', `1${gap}5`, 3, undefined],
  ])('keeps a misplaced group separator that is pasted %s', (_, before, text, caret, start) => {
    const pasted = readGrouped({ text, caret }, before, { inputType: 'insertFromPaste', start })
    expect(parseAmount(pasted.text, 18)).toBe('not-a-number')
    expect(groupTyped(pasted.text)).toContain(gap)
  })

  it('keeps a misplaced group separator while the amount is edited by typing, paste, drop or undo', () => {
    for (const inputType of ['insertText', 'insertFromPaste', 'insertFromDrop', 'historyUndo', undefined]) {
      const next = readGrouped({ text: `1${gap}50`, caret: 4 }, `1${gap}5`, { inputType, start: 3 })
      expect(next).toEqual({ text: `1${gap}50`, caret: 4 })
    }
  })

  it('reads a pasted copy of a displayed amount, and digits pasted into one', () => {
    const copy = { text: `1${gap}234${gap}567.5`, caret: 11 }
    const paste = (start: number) => ({ inputType: 'insertFromPaste', start })
    expect(readGrouped(copy, '', paste(0))).toEqual({ text: '1234567.5', caret: 9 })
    expect(readGrouped(copy, '98765', paste(0))).toEqual({ text: '1234567.5', caret: 9 })
    const into = readGrouped({ text: `12${gap}88345`, caret: 5 }, '12345', paste(3))
    expect(into).toEqual({ text: '1288345', caret: 4 })
  })

  it('removes pasted group separators only if all stand at group boundaries', () => {
    const digits = fc.stringMatching(/^[1-9]\d{4,12}$/)
    const pasted = fc.stringMatching(/^[\d\u202f]{1,6}$/)
    fc.assert(
      fc.property(digits, pasted, fc.nat(), fc.nat(), (before, added, one, other) => {
        const shown = groupTyped(before)
        const [start = 0, end = 0] = [one, other].map((at) => at % (shown.length + 1)).sort((a, b) => a - b)
        const [head, tail] = [shown.slice(0, start), shown.slice(end)]
        const typed = { text: head + added + tail, caret: start + added.length }
        const { text } = readGrouped(typed, before, { inputType: 'insertFromPaste', start })
        const plain = [head, added, tail].map((part) => part.replaceAll(gap, ''))
        const kept = plain[0] + added + plain[2]
        expect(text).toBe(groupTyped(plain.join('')) === kept ? plain.join('') : kept)
      }),
    )
  })

  it('keeps pasted group separators, so that a misplaced one is not read as a number', () => {
    const pasted = readGrouped({ text: `1${gap}5`, caret: 3 }, '')
    expect(pasted.text).toBe(`1${gap}5`)
    expect(parseAmount(pasted.text, 18)).toBe('not-a-number')
    expect(parseAmount(readGrouped({ text: `1${gap}500`, caret: 5 }, '').text, 0)).toBe(1500n)
  })
})
