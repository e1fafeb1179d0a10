import { toBeHex, zeroPadValue } from 'ethers'
import fc from 'fast-check'
import { concatHex, hexToBytes, hexToString, size, stringToHex, toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Hex } from '../../src/domain/token/token.ts'
import { toWords } from '../../src/domain/words.ts'
import { slow } from '../helpers/slow.ts'

slow('Many cases are drawn at random.')

describe('toWords', () => {
  it('encodes numbers and addresses like ethers', () => {
    const number = fc.bigInt(0n, 2n ** 256n - 1n)
    const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => toHex(bytes))
    fc.assert(
      fc.property(number, fc.maxSafeNat(), address, (number, count, address) => {
        const expected = [toBeHex(number, 32), toBeHex(count, 32), zeroPadValue(address, 32)]
        expect(toWords([number, count, address])).toBe(`0x${expected.map((each) => each.slice(2)).join('')}`)
      }),
      { numRuns: 500 },
    )
  })

  it('returns empty hex for no values and rejects values outside one word', () => {
    expect(toWords([])).toBe('0x')
    for (const wrong of [-1n, 2n ** 256n, `0x${'11'.repeat(33)}`] as const)
      expect(() => toWords([wrong])).toThrow()
  })
})

describe('viem hex conversion', () => {
  const bytes = fc.uint8Array({ maxLength: 200 })

  it('encodes, decodes and concatenates hex byte by byte', () => {
    fc.assert(
      fc.property(bytes, bytes, (one, other) => {
        const hex = toHex(one)
        expect(hex).toBe(`0x${Buffer.from(one).toString('hex')}`)
        expect([...hexToBytes(hex.toUpperCase().replace('X', 'x') as Hex)]).toEqual([...one])
        expect(size(hex)).toBe(one.length)
        expect(concatHex([hex, toHex(other)])).toBe(toHex(Uint8Array.of(...one, ...other)))
      }),
      { numRuns: 300 },
    )
    expect(concatHex([])).toBe('0x')
  })

  it('rejects hex with other characters', () => {
    for (const wrong of ['0xzz', '0x 1', '0x0x', '0x0g', '0x-1', '0x١١'] as Hex[])
      expect(() => hexToBytes(wrong), wrong).toThrow()
  })

  it('converts text as UTF-8, including lone surrogates and a BOM', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\ud800', 'a\udfff', '\ufeffx', 'ä€😀'),
    )
    fc.assert(
      fc.property(text, bytes, (text, drawn) => {
        expect(stringToHex(text)).toBe(toHex(Buffer.from(text)))
        expect(hexToString(toHex(drawn))).toBe(new TextDecoder().decode(drawn))
      }),
      { numRuns: 300 },
    )
  })
})
