import { describe, expect, it } from 'vitest'
import { parseName } from '../../src/vault/accounts.ts'

describe('parseName', () => {
  it('accepts names and trims white space around them', () => {
    for (const name of [
      'a',
      'Main account',
      '储蓄',
      'Ёлка №1',
      '🪙',
      '❤️ Savings',
      'x'.repeat(32),
      '🪙'.repeat(32),
    ]) {
      expect(parseName(name)).toBe(name)
      expect(parseName(` \t${name}\u3000`)).toBe(name)
    }
  })

  it('rejects names that are not 1 to 32 characters long', () => {
    for (const name of ['', ' ', '\n', 'x'.repeat(33), '🪙'.repeat(33), undefined, null, {}, 7n]) {
      expect(() => parseName(name)).toThrow('1 to 32 characters')
    }
  })

  it('rejects control, format and bidi characters, line breaks and invisible letters', () => {
    const marks = [
      0x00, 0x07, 0x0a, 0x7f, 0x85, 0xad, 0x115f, 0x1160, 0x061c, 0x200b, 0x200c, 0x200e, 0x200f, 0x2028,
      0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2060, 0x2066, 0x2067, 0x2068, 0x2069, 0x2800, 0x3164,
      0xfeff, 0xffa0, 0xd800, 0xe000, 0xe0041,
    ]
    for (const mark of marks) {
      expect(() => parseName(`a${String.fromCodePoint(mark)}b`)).toThrow()
    }
    expect(() => parseName('\u0301\u0302')).toThrow()
  })
})
