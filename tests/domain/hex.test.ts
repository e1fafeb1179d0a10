import fc from 'fast-check'
import * as viem from 'viem'
import { describe, expect, it } from 'vitest'
import { byteLength, concat, fromHex, toChunks, toHex, toText, utf8 } from '../../src/domain/hex.ts'
import type { Hex } from '../../src/domain/token/token.ts'

const bytes = fc.uint8Array({ maxLength: 200 })
const hex = bytes.map(toHex)

describe('hex', () => {
  it('writes and reads bytes as viem does', () => {
    fc.assert(
      fc.property(bytes, (drawn) => {
        const written = toHex(drawn)
        expect(written).toBe(viem.bytesToHex(drawn))
        expect([...fromHex(written)]).toEqual([...drawn])
        expect([...fromHex(written.toUpperCase().replace('X', 'x') as Hex)]).toEqual([...drawn])
        expect(byteLength(written)).toBe(drawn.length)
      }),
      { numRuns: 500 },
    )
  })

  it('reads nothing that is not whole bytes', () => {
    for (const wrong of ['0x0', '0xabc', '0xzz', '0x 1', '0x0x', '0x0g', '0x-1', '0x١١'] as Hex[]) {
      expect(() => fromHex(wrong), wrong).toThrow()
    }
  })

  it('takes texts as viem does, halves of characters among them', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\ud800', 'a\udfff', '\ufeffx', 'ä€😀'),
    )
    fc.assert(
      fc.property(text, hex, (text, hex) => {
        expect(toHex(utf8(text))).toBe(viem.stringToHex(text))
        expect(toText(hex)).toBe(viem.hexToString(hex))
        expect(toText(toHex(utf8(text)))).toBe(viem.hexToString(viem.stringToHex(text)))
      }),
      { numRuns: 500 },
    )
  })

  it('joins as viem does', () => {
    fc.assert(
      fc.property(fc.array(hex), (parts) => {
        expect(concat(parts)).toBe(viem.concatHex(parts))
      }),
    )
  })

  it('makes words of numbers and addresses as viem does', () => {
    const number = fc.bigInt(0n, 2n ** 256n - 1n)
    const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(toHex)
    fc.assert(
      fc.property(number, fc.maxSafeNat(), address, (number, count, address) => {
        const expected = [
          viem.toHex(number, { size: 32 }),
          viem.toHex(count, { size: 32 }),
          viem.pad(address),
        ]
        expect(toChunks([number, count, address])).toBe(viem.concatHex(expected))
      }),
      { numRuns: 500 },
    )
  })
})
