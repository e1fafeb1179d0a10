import { AbiCoder, ParamType } from 'ethers'
import fc from 'fast-check'
import * as viem from 'viem'
import { encodeAbiParameters, encodeFunctionData, parseAbi, parseAbiParameters } from 'viem'
import { describe, expect, it } from 'vitest'
import { decodeExact, decodeReturned } from '../../../src/domain/abi/decodeStrict.ts'
import { defineKnownFunction } from '../../../src/domain/abi/knownFunction.ts'
import type { Hex } from '../../../src/domain/token/token.ts'
import { slow } from '../../helpers/slow.ts'
import { lowered, type Sample, samples } from './abiSamples.ts'

slow('Many cases are drawn at random.')

describe('examples of the Solidity ABI specification', () => {
  const abi = parseAbi([
    'function baz(uint32 x, bool y) pure returns (bool r)',
    'function bar(bytes3[2])',
    'function sam(bytes, bool, uint256[])',
    'function f(uint256, uint32[], bytes10, bytes)',
    'function g(uint256[][], string[])',
  ])
  const text = (value: string): Hex => `0x${Buffer.from(value).toString('hex')}`
  const words = (...all: string[]): Hex =>
    `0x${all.map((each) => (each.startsWith("'") ? each.slice(1).padEnd(64, '0') : each.padStart(64, '0'))).join('')}`
  // biome-ignore format: as the specification sets them.
  const examples = [
    ['baz', 'cdcd77c0', [69, true], words('45', '1')],
    ['bar', 'fce353f6', [[text('abc'), text('def')]], words("'616263", "'646566")],
    ['sam', 'a5643bf2', [text('dave'), true, [1n, 2n, 3n]], words('60', '1', 'a0', '4', "'64617665", '3', '1', '2', '3')],
    ['f', '8be65246', [0x123n, [0x456, 0x789], text('1234567890'), text('Hello, world!')],
      words('123', '80', "'31323334353637383930", 'e0', '2', '456', '789', 'd', "'48656c6c6f2c20776f726c6421")],
    ['g', '2289b18c', [[[1n, 2n], [3n]], ['one', 'two', 'three']],
      words('40', '140', '2', '40', 'a0', '2', '1', '2', '1', '3', '3', '60', 'a0', 'e0',
        '3', "'6f6e65", '3', "'74776f", '5', "'7468726565")],
  ] as const

  it('encodes and decodes every example', () => {
    for (const [functionName, selector, args, data] of examples) {
      expect(encodeFunctionData({ abi, functionName, args } as never)).toBe(`0x${selector}${data.slice(2)}`)
      const { inputs } = viem.getAbiItem({ abi, name: functionName }) as viem.AbiFunction
      expect(decodeExact(inputs, data)).toEqual(args)
    }
  })
})

describe('encodeAbiParameters of viem', () => {
  it('encodes the same bytes as ethers for any types and values', () => {
    fc.assert(
      fc.property(samples, ({ parameters, values }) => {
        const types = parameters.map((parameter) => ParamType.from(parameter))
        expect(encodeAbiParameters(parameters, values)).toBe(AbiCoder.defaultAbiCoder().encode(types, values))
      }),
      { numRuns: 300 },
    )
  })

  it('rejects a value outside its type', () => {
    for (const [type, value] of [
      ['address', '0x01'],
      ['address', '00'.repeat(20)],
      ['address', `0x${'zz'.repeat(20)}`],
      ['bytes4', '0x010203'],
      ['bytes4', '0x0102030405'],
      ['uint256', 'one'],
      ['uint256', 1.5],
      ['uint8', 256],
      ['uint8', -1],
      ['int8', 128],
      ['int8', -129],
      ['uint256', 2n ** 256n],
      ['uint256[2]', [1n]],
      ['uint256[2]', [1n, 2n, 3n]],
    ] as const) {
      expect(() => encodeAbiParameters([{ type }], [value]), `${type} ${value}`).toThrow()
    }
    expect(() => encodeAbiParameters([{ type: 'bool' }] as viem.AbiParameter[], [])).toThrow()
  })
})

describe('parseAbi of viem', () => {
  it('rejects malformed signatures and unknown types', () => {
    for (const line of [
      'function f',
      'function f(uint256 a b)',
      'function f(,)',
      '',
      ...['uint7', 'uint264', 'uint0', 'bytes33', 'fixed128x18', 'tuple', 'word'].map(
        (type) => `function f(${type} a)`,
      ),
    ]) {
      expect(() => parseAbi([line]), line).toThrow()
    }
  })
})

describe('defineKnownFunction', () => {
  it('derives the name and the selector from the signature', () => {
    for (const signature of [
      'refundETH()',
      'unwrapWETH9(uint256 min, address recipient)',
      'invoke(bytes32[] actions, bytes[] data)',
      'swap((address token, uint256[2] amounts)[] legs, (bool, (bytes4 id) inner) last, string)',
    ]) {
      const item = viem.parseAbiItem(`function ${signature}` as string) as viem.AbiFunction
      const { selector, name } = defineKnownFunction(signature, () => undefined)
      expect([`0x${selector}`, name]).toEqual([viem.toFunctionSelector(item), item.name])
    }
  })
})

describe('decodeReturned: integer limits', () => {
  it('decodes the limits of every size and rejects the values beyond', () => {
    for (let bits = 8; bits <= 256; bits += 8) {
      for (const [type, least, most] of [
        [`uint${bits}`, 0n, 2n ** BigInt(bits) - 1n],
        [`int${bits}`, -(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n],
      ] as const) {
        const parameters = [{ type }]
        for (const value of [least, most]) {
          const data = encodeAbiParameters(parameters, [value])
          expect(decodeReturned(parameters, data)).toEqual([bits > 48 ? value : Number(value)])
        }
        if (bits === 256) continue
        for (const value of [least - 1n, most + 1n]) {
          const data: Hex = `0x${BigInt.asUintN(256, value).toString(16).padStart(64, '0')}`
          expect(() => decodeReturned(parameters, data), `${type} ${value}`).toThrow()
        }
      }
    }
  })
})

describe('decodeExact', () => {
  it('decodes viem’s encoding and rejects longer, shorter or upper-case data', () => {
    fc.assert(
      fc.property(samples, ({ parameters, values }) => {
        const data = encodeAbiParameters(parameters, values)
        expect(decodeExact(parameters, data)).toEqual(values)
        for (const other of [`${data}00`, data.slice(0, -2), `${data}0`] as Hex[])
          expect(() => decodeExact(parameters, other)).toThrow()
        const upper: Hex = `0x${data.slice(2).toUpperCase()}`
        if (upper !== data) expect(() => decodeExact(parameters, upper)).toThrow()
      }),
      { numRuns: 300 },
    )
  })

  it('accepts only empty data for no parameters', () => {
    expect(decodeExact([], '0x')).toEqual([])
    expect(() => decodeExact([], '0x00')).toThrow()
  })
})

describe('decodeReturned', () => {
  it('decodes viem’s encoding of any types and values', () => {
    fc.assert(
      fc.property(samples, ({ parameters, values }) => {
        expect(decodeReturned(parameters, encodeAbiParameters(parameters, values))).toEqual(values)
      }),
      { numRuns: 1_000 },
    )
  })

  it('accepts upper-case hex, and decodes strings with a BOM, NUL or emoji unchanged', () => {
    const { parameters, values }: Sample = { parameters: [{ type: 'bytes3' }], values: ['0xabcdef'] }
    const data = encodeAbiParameters(parameters, values)
    expect(decodeReturned(parameters, `0x${data.slice(2).toUpperCase()}`)).toEqual(values)
    for (const text of ['\u{feff}text', '\0text', '🦩']) {
      expect(decodeReturned([{ type: 'string' }], encodeAbiParameters([{ type: 'string' }], [text]))).toEqual(
        [text],
      )
    }
  })

  it('accepts trailing bytes, and a last bytes value without its zero padding', () => {
    const parameters = parseAbiParameters('bytes, uint8')
    const data = encodeAbiParameters(parameters, ['0x1234', 7])
    expect(decodeReturned(parameters, `${data}99`)).toEqual(['0x1234', 7])
    expect(decodeReturned(parameters, data.slice(0, -60) as Hex)).toEqual(['0x1234', 7])
    expect(() => decodeReturned(parameters, data.slice(0, -62) as Hex)).toThrow()
    expect(decodeReturned([], '0x1234')).toEqual([])
  })

  it('rejects missing padding after any other value', () => {
    const one = { type: 'bytes4' } as const
    const list = { type: 'bytes4[]' } as const
    const record = { type: 'tuple[]', components: [{ type: 'bytes', name: 'a' }, one] } as const
    for (const [parameters, values] of [
      [[one], ['0x12345678']],
      [
        [{ type: 'bytes' }, list],
        ['0x12', ['0x12345678']],
      ],
      [[{ type: 'bytes4[2]' }], [['0x12345678', '0x12345678']]],
      [
        [record, list],
        [[], []],
      ],
    ] as [viem.AbiParameter[], unknown[]][]) {
      const data = encodeAbiParameters(parameters, values)
      expect(decodeReturned(parameters, data)).toHaveLength(values.length)
      expect(() => decodeReturned(parameters, data.slice(0, -2) as Hex)).toThrow()
    }
    const nested = encodeAbiParameters([list, record], [[], [['0x12', '0x12345678']]] as never)
    expect(() => decodeReturned([list, record], nested.slice(0, -64) as Hex)).toThrow()
  })

  it('rejects dirty padding, invalid UTF-8 and invalid offsets', () => {
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
      expect(() => decodeReturned([{ type }], data), `${type} ${data}`).toThrow()
    }
  })
})

describe('decodeReturned: hostile data', () => {
  const word = (value: bigint) => value.toString(16).padStart(64, '0')

  it('limits its steps by the size of the data, whatever lengths and offsets it claims', () => {
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
      parseAbiParameters('string[], (bytes[] a, uint256[3][] b)[]'),
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

  it('rejects short data that expands to exponentially many values', () => {
    // Items share their bytes: 10 levels of 16 would be 2^40 values.
    const depth = 10
    const level = word(16n) + word(16n * 32n).repeat(16)
    const data: Hex = `0x${word(32n)}${level.repeat(depth)}`
    const parameters = [{ type: `uint256${'[]'.repeat(depth)}` }]
    expect(() => decodeReturned(parameters, data)).toThrow()
    expect(stepsOf(parameters, data)).toBeLessThan(data.length / 64 + 50)
  })

  it('rejects short data whose overlapping items expand to long values', () => {
    // Each of the items begins at another byte, and claims most of what follows.
    const items = 100
    const size = 32 * 100
    const heads = Array.from({ length: items }, (_, index) => word(BigInt(32 * (items + index))))
    const tails = Array.from({ length: items }, () => word(BigInt(size)))
    const data: Hex = `0x${word(32n)}${word(BigInt(items))}${[...heads, ...tails].join('')}${'11'.repeat(size)}`
    const [values] = viem.decodeAbiParameters([{ type: 'bytes[]' }], data)
    expect(values.join('').length).toBeGreaterThan(20 * data.length)
    expect(stepsOf([{ type: 'bytes[]' }], data)).toBeLessThan(20)
    expect(() => decodeReturned([{ type: 'bytes[]' }], data)).toThrow('overlap')
  })

  /** Counts the parts that decoding takes. */
  function stepsOf(parameters: readonly viem.AbiParameter[], data: Hex): number {
    const { subarray } = Uint8Array.prototype
    let steps = 0
    Uint8Array.prototype.subarray = function (...range) {
      steps++
      return subarray.apply(this, range)
    }
    try {
      decodeReturned(parameters, data)
    } catch {
    } finally {
      Uint8Array.prototype.subarray = subarray
    }
    return steps
  }
})

describe('decodeReturned: mutated calldata', () => {
  const abi = parseAbi([
    'struct Description { address srcToken; address dstToken; address srcReceiver; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 flags; }',
    'struct Branch { uint32 weight; Hop[] hops; }',
    'struct Hop { uint8 kind; uint24 fee; address pool; bytes32 aux; int64 change; bool last; }',
    'function swap(address executor, Description desc, bytes data) payable',
    'function batch(address from, uint256[] ids, uint256[] amounts, bytes data)',
    'function route(address[] tokens, Branch[] branches, uint256 feePpm, string note, bytes permit)',
    'function fixed((bytes4 id, string[2] names)[2] pairs, bool[3] flags)',
  ])
  const items = abi.filter((item) => item.type === 'function')
  const functions = new Map<string, viem.AbiFunction>(
    items.map((item) => [viem.toFunctionSelector(item), item]),
  )
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

  it('rejects the data, or decodes it like viem to values that encode to the same bytes', () => {
    let taken = 0
    let refused = 0
    for (const data of fc.sample(changed(originals), 25_000)) {
      const { inputs } = functions.get(data.slice(0, 10)) as viem.AbiFunction
      const values: Hex = `0x${data.slice(10)}`
      const ours = attempt(() => decodeReturned(inputs, values))
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
