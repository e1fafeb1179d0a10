import fc from 'fast-check'
import * as viem from 'viem'
import { describe, expect, it } from 'vitest'
import { readAbi, readParameters } from '../../../src/domain/abi/abi.ts'
import { encodeFunctionData, toFunctionSelector } from '../../../src/domain/abi/abiCalls.ts'
import { decodeAbiParameters, encodeAbiParameters } from '../../../src/domain/abi/abiCoder.ts'
import type { Hex } from '../../../src/domain/token/token.ts'
import { lowered, type Sample, samples } from './abiSamples.ts'

describe('encodeAbiParameters', () => {
  it('writes what viem writes, for any types and values', () => {
    fc.assert(
      fc.property(samples, ({ parameters, values }) => {
        expect(encodeAbiParameters(parameters, values)).toBe(viem.encodeAbiParameters(parameters, values))
      }),
      { numRuns: 1_000 },
    )
  })

  it('writes the least and the greatest number of every size, and refuses the next one', () => {
    for (let bits = 8; bits <= 256; bits += 8) {
      for (const [type, least, most] of [
        [`uint${bits}`, 0n, 2n ** BigInt(bits) - 1n],
        [`int${bits}`, -(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n],
      ] as const) {
        const parameters = [{ type }]
        for (const value of [least, most]) {
          const data = encodeAbiParameters(parameters, [value])
          expect(data).toBe(viem.encodeAbiParameters(parameters, [value]))
          expect(decodeAbiParameters(parameters, data)).toEqual([bits > 48 ? value : Number(value)])
        }
        expect(() => encodeAbiParameters(parameters, [least - 1n]), type).toThrow()
        expect(() => encodeAbiParameters(parameters, [most + 1n]), type).toThrow()
      }
    }
  })

  it('refuses a value that its type does not have', () => {
    for (const [type, value] of [
      ['address', '0x01'],
      ['address', '00'.repeat(20)],
      ['address', `0x${'zz'.repeat(20)}`],
      ['bytes4', '0x010203'],
      ['bytes4', '0x0102030405'],
      ['bytes', '0x123'],
      ['bytes', '0xzz'],
      ['uint256', 'one'],
      ['uint256', 1.5],
      ['uint256[2]', [1n]],
      ['uint256[2]', [1n, 2n, 3n]],
    ] as const) {
      expect(() => encodeAbiParameters([{ type }], [value]), `${type} ${value}`).toThrow()
    }
    expect(() => encodeAbiParameters([{ type: 'bool' }] as viem.AbiParameter[], [])).toThrow()
  })

  it('refuses a type that does not exist, also when reading', () => {
    for (const type of [
      'uint7',
      'uint264',
      'uint0',
      'int',
      'bytes33',
      'bytes0',
      'fixed128x18',
      'tuple',
      'word',
      '',
    ]) {
      expect(() => encodeAbiParameters([{ type }], [0n]), type).toThrow('No such type')
      expect(() => decodeAbiParameters([{ type }], `0x${'00'.repeat(64)}`), type).toThrow('No such type')
    }
  })
})

describe('decodeAbiParameters', () => {
  it('reads what viem writes, for any types and values', () => {
    fc.assert(
      fc.property(samples, ({ parameters, values }) => {
        expect(decodeAbiParameters(parameters, viem.encodeAbiParameters(parameters, values))).toEqual(values)
      }),
      { numRuns: 1_000 },
    )
  })

  it('reads upper case as lower case, and a text whole, whatever it begins with', () => {
    const { parameters, values }: Sample = { parameters: [{ type: 'bytes3' }], values: ['0xabcdef'] }
    const data = encodeAbiParameters(parameters, values)
    expect(decodeAbiParameters(parameters, `0x${data.slice(2).toUpperCase()}`)).toEqual(values)
    for (const text of ['\u{feff}text', '\0text', '🦩']) {
      expect(
        decodeAbiParameters([{ type: 'string' }], encodeAbiParameters([{ type: 'string' }], [text])),
      ).toEqual([text])
    }
  })

  it('takes bytes after the last value, and zeros that are missing at the end', () => {
    const parameters = readParameters(['bytes, uint8'])
    const data = encodeAbiParameters(parameters, ['0x1234', 7])
    expect(decodeAbiParameters(parameters, `${data}99`)).toEqual(['0x1234', 7])
    expect(decodeAbiParameters(parameters, data.slice(0, -60) as Hex)).toEqual(['0x1234', 7])
    expect(() => decodeAbiParameters(parameters, data.slice(0, -62) as Hex)).toThrow('too short')
  })

  it('refuses what is not clean', () => {
    const word = (end: string) => end.padStart(64, '0')
    const start = (text: string) => text.padEnd(64, '0')
    for (const [type, ...words] of [
      ['address', `01${'00'.repeat(31)}`],
      ['address', word(`1${'ab'.repeat(20)}`)],
      ['bool', word('2')],
      ['bool', start('80')],
      ['uint8', word('100')],
      ['int8', word('80')],
      ['int8', `fe${'ff'.repeat(31)}`],
      ['bytes4', start('1234567801')],
      ['bytes', word('20'), word('1'), start('ff01')],
      // Invalid UTF-8.
      ['string', word('20'), word('1'), start('ff')],
      // Offsets into the head, past the tail, one byte short, overflowing.
      ['bytes', word('0'), word('0')],
      ['bytes', word('40'), word('0'), word('0')],
      ['bytes', word('1f'), word('0')],
      ['bytes', 'f'.repeat(64), word('0')],
      ['bytes', word('20'), 'f'.repeat(64)],
      ['bytes', word('20'), word('1')],
      ['bytes', word('20')],
      ['uint256[]', word('20'), word('2'), word('1')],
      ['uint256[2]', word('1')],
      ['uint256', word('1').slice(1)],
      ['uint256', word('g')],
      ['uint256', ''],
    ] as const) {
      const data: Hex = `0x${words.join('')}`
      expect(() => decodeAbiParameters([{ type }], data), `${type} ${data}`).toThrow()
    }
  })
})

describe('hostile data', () => {
  const word = (value: bigint) => value.toString(16).padStart(64, '0')

  it('is refused in no more steps than it has words, whatever lengths and offsets it claims', () => {
    const nested = (depth: number) => [{ type: `uint256${'[]'.repeat(depth)}` }]
    const claims = [
      0n,
      1n,
      31n,
      32n,
      33n,
      64n,
      2n ** 16n,
      2n ** 31n,
      2n ** 32n,
      2n ** 40n,
      2n ** 53n,
      2n ** 256n - 1n,
    ]
    for (const parameters of [
      ...[1, 2, 5, 10].map(nested),
      readParameters(['string[], (bytes[] a, uint256[3][] b)[]']),
    ]) {
      for (const claim of claims) {
        for (const words of [1, 2, 50, 5_000]) {
          const all: Hex = `0x${word(claim).repeat(words)}`
          const length: Hex = `0x${word(32n)}${word(claim).repeat(words)}`
          for (const data of [all, length]) expect(stepsOf(parameters, data)).toBeLessThan(2 * words + 50)
        }
      }
    }
  })

  it('cannot make a short text stand for many values', () => {
    // Items share their bytes: 10 levels of 16 would be 2^40 values.
    const depth = 10
    const level = word(16n) + word(16n * 32n).repeat(16)
    const data: Hex = `0x${word(32n)}${level.repeat(depth)}`
    const parameters = [{ type: `uint256${'[]'.repeat(depth)}` }]
    expect(() => decodeAbiParameters(parameters, data)).toThrow()
    expect(stepsOf(parameters, data)).toBeLessThan(data.length / 64 + 50)
  })

  function stepsOf(parameters: readonly viem.AbiParameter[], data: Hex): number {
    const slice = String.prototype.slice
    let steps = 0
    String.prototype.slice = function (...range) {
      steps++
      return slice.apply(this, range)
    }
    try {
      decodeAbiParameters(parameters, data)
    } catch {
    } finally {
      String.prototype.slice = slice
    }
    return steps
  }
})

describe('changed calldata', () => {
  const abi = readAbi([
    'struct Description { address srcToken; address dstToken; address srcReceiver; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 flags; }',
    'struct Branch { uint32 weight; Hop[] hops; }',
    'struct Hop { uint8 kind; uint24 fee; address pool; bytes32 aux; int64 change; bool last; }',
    'function swap(address executor, Description desc, bytes data) payable',
    'function batch(address from, uint256[] ids, uint256[] amounts, bytes data)',
    'function route(address[] tokens, Branch[] branches, uint256 feePpm, string note, bytes permit)',
    'function fixed((bytes4 id, string[2] names)[2] pairs, bool[3] flags)',
  ])()
  const items = abi.filter((item) => item.type === 'function')
  const functions = new Map<string, viem.AbiFunction>(items.map((item) => [toFunctionSelector(item), item]))
  const one = `0x${'11'.repeat(20)}` as const
  const hop = { kind: 1, fee: 500, pool: one, aux: `0x${'ab'.repeat(32)}`, change: -5n, last: true } as const
  const desc = {
    srcToken: one,
    dstToken: one,
    srcReceiver: one,
    dstReceiver: one,
    amount: 5n,
    minReturnAmount: 4n,
    flags: 0n,
  }
  const originals: Hex[] = [
    encodeFunctionData({ abi, functionName: 'swap', args: [one, desc, '0x1234'] }),
    encodeFunctionData({ abi, functionName: 'batch', args: [one, [1n, 2n], [3n, 4n], '0x'] }),
    encodeFunctionData({
      abi,
      functionName: 'route',
      args: [
        [one, one],
        [
          { weight: 1, hops: [hop, hop] },
          { weight: 2, hops: [] },
        ],
        30n,
        'a note',
        `0x${'12'.repeat(40)}`,
      ],
    }),
    encodeFunctionData({
      abi,
      functionName: 'fixed',
      args: [
        [
          { id: '0x12345678', names: ['a', 'b'] },
          { id: '0x00000000', names: ['', 'd'] },
        ],
        [true, false, true],
      ],
    }),
  ]

  it('is refused, or means to viem what it means here, and is written again as the same bytes', () => {
    let taken = 0
    let refused = 0
    for (const data of fc.sample(changed(originals), 25_000)) {
      const { inputs } = functions.get(data.slice(0, 10)) as viem.AbiFunction
      const values: Hex = `0x${data.slice(10)}`
      const ours = attempt(() => decodeAbiParameters(inputs, values))
      if (ours === undefined) {
        refused++
        continue
      }
      taken++
      expect(ours).toEqual(lowered(viem.decodeAbiParameters(inputs, values)))
      const again = encodeAbiParameters(inputs, ours)
      expect(again.startsWith(values) || values.startsWith(again), data).toBe(true)
      if (values.length < again.length) expect(again.slice(values.length)).toMatch(/^0{1,62}$/)
    }
    expect(taken).toBeGreaterThan(3_000)
    expect(refused).toBeGreaterThan(10_000)
  })

  function attempt<T>(read: () => T): T | undefined {
    try {
      return read()
    } catch {
      return undefined
    }
  }
})

function changed(originals: Hex[]): fc.Arbitrary<Hex> {
  const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  const byte = fc.integer({ min: 0, max: 255 }).map((value) => value.toString(16).padStart(2, '0'))
  const words = fc
    .oneof(
      fc.constantFrom(0n, 1n, 31n, 32n, 64n, 96n, 2n ** 40n, 2n ** 160n, 2n ** 255n, 2n ** 256n - 1n),
      fc.bigInt(0n, 1024n),
    )
    .map((value) => value.toString(16).padStart(64, '0'))
  const change = fc.oneof(
    fc.tuple(place, byte).map(
      ([where, text]) =>
        (hex: string) =>
          put(hex, at(hex, where, 2), 2, text),
    ),
    fc.tuple(place, words).map(
      ([where, text]) =>
        (hex: string) =>
          put(hex, at(hex, where, 64), 64, text),
    ),
    fc.tuple(place, words).map(
      ([where, text]) =>
        (hex: string) =>
          put(hex, at(hex, where, 64), 0, text),
    ),
    place.map((where) => (hex: string) => put(hex, at(hex, where, 64), 64, '')),
    place.map((where) => (hex: string) => hex.slice(0, at(hex, where, 2))),
    byte.map((text) => (hex: string) => hex + text),
  )
  return fc
    .tuple(fc.constantFrom(...originals), fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([data, changes]) => {
      const values = changes.reduce((hex, make) => make(hex), data.slice(10))
      return `${data.slice(0, 10)}${values}` as Hex
    })
}

function at(hex: string, where: number, unit: number): number {
  return Math.floor((where * hex.length) / unit) * unit
}

function put(hex: string, at: number, instead: number, text: string): string {
  return hex.slice(0, at) + text + hex.slice(at + instead)
}
