import fc from 'fast-check'
import { fromRlp, toRlp } from 'viem'
import { describe, expect, it } from 'vitest'
import { toHex, utf8 } from '../../src/domain/hex.ts'
import type { Hex } from '../../src/domain/token/token.ts'
import { decodeRlp, encodeRlp, integer, type Rlp } from '../../src/evm/rlp.ts'

const text = (text: string) => toHex(utf8(text))
const lorem = 'Lorem ipsum dolor sit amet, consectetur adipisicing elit'

/** Examples of ethereum.org (RLP) and ethereum/tests (rlptest.json). */
const examples: [Rlp, Hex][] = [
  [text('dog'), '0x83646f67'],
  [[text('cat'), text('dog')], '0xc88363617483646f67'],
  ['0x', '0x80'],
  [[], '0xc0'],
  ['0x00', '0x00'],
  ['0x0f', '0x0f'],
  ['0x7f', '0x7f'],
  ['0x80', '0x8180'],
  ['0x0400', '0x820400'],
  [[[], [[]], [[], [[]]]], '0xc7c0c1c0c3c0c1c0'],
  [[[[], []], []], '0xc4c2c0c0c0'],
  [text(lorem), `0xb838${text(lorem).slice(2)}`],
  [`0x${'61'.repeat(55)}`, `0xb7${'61'.repeat(55)}`],
  [`0x${'61'.repeat(1024)}`, `0xb90400${'61'.repeat(1024)}`],
  [Array<Hex>(55).fill('0x01'), `0xf7${'01'.repeat(55)}`],
  [Array<Hex>(56).fill('0x01'), `0xf838${'01'.repeat(56)}`],
  [integer(0), '0x80'],
  [integer(1000), '0x8203e8'],
  [integer(100_000), '0x830186a0'],
  [integer(2n ** 256n), `0xa101${'00'.repeat(32)}`],
]

const bytes = fc
  .oneof(
    { weight: 4, arbitrary: fc.uint8Array({ maxLength: 4 }) },
    { weight: 2, arbitrary: fc.uint8Array({ minLength: 50, maxLength: 60 }) },
    { weight: 1, arbitrary: fc.uint8Array({ minLength: 250, maxLength: 600 }) },
  )
  .map(toHex)
const { item } = fc.letrec<{ item: Rlp }>((tie) => ({
  item: fc.oneof({ maxDepth: 6, withCrossShrink: true }, bytes, fc.array(tie('item'), { maxLength: 6 })),
}))

describe('RLP', () => {
  it('is written and read as the published examples have it', () => {
    for (const [item, encoded] of examples) {
      expect(encodeRlp(item)).toBe(encoded)
      expect(decodeRlp(encoded)).toEqual(item)
    }
  })

  it('is what viem writes and reads', () => {
    fc.assert(
      fc.property(item, (item) => {
        const encoded = encodeRlp(item)
        expect(encoded).toBe(toRlp(item))
        expect(decodeRlp(encoded)).toEqual(item)
        expect(fromRlp(encoded)).toEqual(item)
      }),
      { numRuns: 1_000 },
    )
  })

  it('has lengths of more than two bytes', () => {
    const long: Hex = `0x${'5a'.repeat(70_000)}`
    expect(encodeRlp([long])).toBe(toRlp([long]))
    expect(decodeRlp(toRlp([long]))).toEqual([long])
  })

  it('is read only as it is written: what was changed on its way is refused, or is another item’s encoding', () => {
    let accepted = 0
    const change = fc.record({
      at: fc.nat(),
      byte: fc.nat(255),
      kind: fc.constantFrom('set', 'insert', 'remove'),
    })
    fc.assert(
      fc.property(item, fc.array(change, { minLength: 1, maxLength: 3 }), (item, changes) => {
        const changed = [...Buffer.from(encodeRlp(item).slice(2), 'hex')]
        for (const { at, byte, kind } of changes) {
          const place = at % (Math.min(changed.length, 8) + 1)
          changed.splice(place, kind === 'insert' ? 0 : 1, ...(kind === 'remove' ? [] : [byte]))
        }
        accepted += checkAgainstViem(toHex(Uint8Array.from(changed)))
      }),
      { numRuns: 5_000 },
    )
    expect(accepted).toBeGreaterThan(100)
  })

  it('takes nothing of any few bytes that it would not have written', () => {
    let accepted = 0
    for (let number = 0; number < 2 ** 16; number++) {
      accepted += checkAgainstViem(toHex(Uint8Array.of(number >> 8, number & 255)))
    }
    // After 0x81: 128 bytes; after 0xc1: 128 bytes, 0x80 and 0xc0.
    expect(accepted).toBe(128 + 130)
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }).map(toHex), (hex) => void checkAgainstViem(hex)),
      {
        numRuns: 5_000,
      },
    )
  })

  it('refuses lengths that are longer than they need be, bytes behind the item, and items beyond their list', () => {
    const wrongs = [
      '0x',
      '0x8100',
      '0x817f',
      '0xb800',
      '0xb801ff',
      `0xb837${'61'.repeat(55)}`,
      `0xb90038${'61'.repeat(56)}`,
      '0xf800',
      '0xf90001c0',
      `0xf837${'01'.repeat(55)}`,
      '0x8000',
      '0xc000',
      '0x83646f',
      '0xc2',
      '0xc183646f67',
      '0xc28364',
      '0xc08',
      '0xzz',
    ]
    for (const wrong of wrongs) expect(() => decodeRlp(wrong as Hex), wrong).toThrow()
  })

  it('refuses at once what claims to be larger than it is, and what is nested without end', () => {
    for (const claim of ['bb7fffffff', 'fb7fffffff', 'bfffffffffffffffff', 'ffffffffffffffffff']) {
      expect(() => decodeRlp(`0x${claim}00`), claim).toThrow('too short')
    }
    let nested: Rlp = []
    for (let depth = 0; depth < 32; depth++) nested = [nested]
    expect(decodeRlp(encodeRlp(nested))).toEqual(nested)
    expect(() => decodeRlp(encodeRlp([nested]))).toThrow('deeply')
    expect(() => decodeRlp(`0x${'c1'.repeat(100_000)}c0`)).toThrow('deeply')
  })

  it('refuses to write what is not whole bytes, and writes upper case as lower', () => {
    expect(() => encodeRlp(['0xabc'])).toThrow()
    expect(() => encodeRlp('0xzz')).toThrow()
    expect(encodeRlp('0xABCD')).toBe('0x82abcd')
    expect(decodeRlp('0x82ABCD')).toBe('0xabcd')
  })
})

/** 1 if accepted, else 0. */
function checkAgainstViem(encoded: Hex): number {
  let item: Rlp
  try {
    item = decodeRlp(encoded)
  } catch {
    return 0
  }
  expect(fromRlp(encoded), encoded).toEqual(item)
  expect(toRlp(item), encoded).toBe(encoded)
  expect(encodeRlp(item), encoded).toBe(encoded)
  return 1
}
