import fc from 'fast-check'
import * as viem from 'viem'
import { describe, expect, it } from 'vitest'
import { readAbi } from '../../../src/domain/abi/abi.ts'
import {
  decodeErrorResult,
  decodeEventLog,
  decodeFunctionData,
  decodeFunctionResult,
  encodeFunctionData,
  toFunctionSelector,
} from '../../../src/domain/abi/abiCalls.ts'
import type { Hex } from '../../../src/domain/token/token.ts'
import { lowered, samples } from './abiSamples.ts'

describe('the examples of the Solidity ABI specification', () => {
  const abi = readAbi([
    'function baz(uint32 x, bool y) pure returns (bool r)',
    'function bar(bytes3[2])',
    'function sam(bytes, bool, uint256[])',
    'function f(uint256, uint32[], bytes10, bytes)',
    'function g(uint256[][], string[])',
  ])()
  const text = (value: string): Hex => `0x${Buffer.from(value).toString('hex')}`
  const words = (selector: string, ...all: string[]): Hex =>
    `0x${selector}${all.map((each) => (each.startsWith("'") ? each.slice(1).padEnd(64, '0') : each.padStart(64, '0'))).join('')}`
  // biome-ignore format: as the specification sets them.
  const examples = [
    ['baz', [69, true], words('cdcd77c0', '45', '1')],
    ['bar', [[text('abc'), text('def')]], words('fce353f6', "'616263", "'646566")],
    ['sam', [text('dave'), true, [1n, 2n, 3n]], words('a5643bf2', '60', '1', 'a0', '4', "'64617665", '3', '1', '2', '3')],
    ['f', [0x123n, [0x456, 0x789], text('1234567890'), text('Hello, world!')],
      words('8be65246', '123', '80', "'31323334353637383930", 'e0', '2', '456', '789', 'd', "'48656c6c6f2c20776f726c6421")],
    ['g', [[[1n, 2n], [3n]], ['one', 'two', 'three']],
      words('2289b18c', '40', '140', '2', '40', 'a0', '2', '1', '2', '1', '3', '3', '60', 'a0', 'e0',
        '3', "'6f6e65", '3', "'74776f", '5', "'7468726565")],
  ] as const

  it('are written and read', () => {
    for (const [functionName, args, data] of examples) {
      expect(encodeFunctionData({ abi, functionName, args } as never)).toBe(data)
      expect(decodeFunctionData({ abi, data })).toEqual({ functionName, args })
    }
    const yes: Hex = `0x${'1'.padStart(64, '0')}`
    expect(decodeFunctionResult({ abi, functionName: 'baz', data: yes })).toBe(true)
  })

  it('of an error is read', () => {
    const errors = readAbi(['error InsufficientBalance(uint256 available, uint256 required)'])()
    const data = words('cf479181', '0', 'de0b6b3a7640000')
    const { errorName, args, abiItem } = decodeErrorResult({ abi: errors, data })
    expect([errorName, args, abiItem]).toEqual(['InsufficientBalance', [0n, 10n ** 18n], errors[0]])
  })
})

describe('functions', () => {
  const abi = readAbi([
    'struct Point { uint256 x; uint256[] more; }',
    'function draw(Point[2][] points, (bool, Point) last)',
    'function draw(uint256 one)',
    'function stop()',
    'function nothing() view',
    'function both() view returns (uint8 a, string b)',
  ])()

  it('have the selectors that viem gives them', () => {
    fc.assert(
      fc.property(samples, ({ parameters }) => {
        const item = {
          type: 'function',
          name: 'f',
          inputs: parameters,
          outputs: [],
          stateMutability: 'view',
        } as const
        expect(toFunctionSelector(item)).toBe(viem.toFunctionSelector(item))
      }),
    )
  })

  it('of one name are told apart by how many arguments they take', () => {
    const point = { x: 1n, more: [2n] }
    const two = { abi, functionName: 'draw', args: [[[point, point]], [true, point]] } as const
    const one = { abi, functionName: 'draw', args: [5n] } as const
    expect(encodeFunctionData(two)).toBe(viem.encodeFunctionData(two))
    expect(encodeFunctionData(one)).toBe(viem.encodeFunctionData(one))
    expect(decodeFunctionData({ abi, data: encodeFunctionData(two) })).toEqual({
      functionName: 'draw',
      args: two.args,
    })
  })

  it('may take and return nothing, one value or several', () => {
    expect(encodeFunctionData({ abi, functionName: 'stop' })).toBe(viem.toFunctionSelector('stop()'))
    expect(decodeFunctionData({ abi, data: viem.toFunctionSelector('stop()') })).toEqual({
      functionName: 'stop',
    })
    expect(decodeFunctionResult({ abi, functionName: 'nothing', data: '0x' })).toBe(undefined)
    const data = viem.encodeFunctionResult({ abi, functionName: 'both', result: [7, 'seven'] })
    expect(decodeFunctionResult({ abi, functionName: 'both', data })).toEqual([7, 'seven'])
  })

  it('that the list does not have are neither written nor read', () => {
    expect(() => encodeFunctionData({ abi, functionName: 'other' } as never)).toThrow('other')
    expect(() => encodeFunctionData({ abi, functionName: 'stop', args: [1n] } as never)).toThrow('stop')
    for (const data of ['0x', '0x12', '0x12345678'] as const) {
      expect(() => decodeFunctionData({ abi, data })).toThrow('selector')
    }
  })
})

describe('errors', () => {
  const abi = readAbi([
    'error Unsold(address token, uint256 amount)',
    'error None()',
    'function approve(address token, uint256 amount)',
  ])()
  const token = `0x${'ab'.repeat(20)}` as const

  it("are read as viem reads them, Solidity's own too", () => {
    for (const data of [
      viem.encodeErrorResult({ abi, errorName: 'Unsold', args: [token, 5n] }),
      viem.encodeErrorResult({ abi, errorName: 'None' }),
      viem.encodeErrorResult({ abi: viem.parseAbi(['error Error(string)']), args: ['Too late'] }),
      viem.encodeErrorResult({ abi: viem.parseAbi(['error Panic(uint256)']), args: [0x11n] }),
    ]) {
      expect(decodeErrorResult({ abi, data })).toEqual(lowered(viem.decodeErrorResult({ abi, data })))
    }
  })

  it('that nobody knows are refused, and so is what only looks like one', () => {
    const call = viem.encodeFunctionData({ abi, functionName: 'approve', args: [token, 5n] })
    for (const data of ['0x', '0x12345678', call] as const) {
      expect(() => decodeErrorResult({ abi, data })).toThrow('selector')
    }
  })
})

describe('events', () => {
  const abi = readAbi([
    'event Swapped(address indexed sender, address token, uint256 amount)',
    'event Named(string indexed name, bytes32 indexed node, uint256[] indexed list, string text)',
    'event Plain(uint8, bool indexed)',
  ])()
  const token = `0x${'ab'.repeat(20)}` as const
  const log = (abi: viem.Abi, eventName: string, args: unknown[]) => {
    const item = abi.find((each) => each.type === 'event' && each.name === eventName) as viem.AbiEvent
    const indexed = args.filter((_, index) => item.inputs[index]?.indexed)
    const plain = item.inputs.filter((input) => !input.indexed)
    return {
      topics: [
        viem.toEventSelector(item),
        ...indexed.map((value, index) =>
          typeof value === 'string' && value.length === 66
            ? (value as Hex)
            : viem.encodeAbiParameters([item.inputs.filter((input) => input.indexed)[index]!], [value]),
        ),
      ] as [Hex, ...Hex[]],
      data: viem.encodeAbiParameters(
        plain,
        args.filter((_, index) => !item.inputs[index]?.indexed),
      ),
    }
  }

  it('are read as viem reads them', () => {
    const hash = `0x${'cd'.repeat(32)}`
    for (const one of [
      log(abi, 'Swapped', [token, token, 5n]),
      log(abi, 'Named', [hash, hash, hash, 'text']),
      log(abi, 'Plain', [5, true]),
    ]) {
      expect(decodeEventLog({ abi, ...one })).toEqual(lowered(viem.decodeEventLog({ abi, ...one })))
    }
  })

  it('that are others, or have other topics or data, are refused', () => {
    const { topics, data } = log(abi, 'Swapped', [token, token, 5n])
    const [signature, sender] = topics as [Hex, Hex]
    for (const one of [
      { topics: [], data },
      { topics: [`0x${'12'.repeat(32)}`, sender], data },
      { topics: [signature], data },
      { topics: [signature, sender, sender], data },
      { topics: [signature, `0x01${sender.slice(4)}`], data },
      { topics, data: '0x' },
      { topics, data: data.slice(0, -2) },
    ]) {
      expect(() => decodeEventLog({ abi, ...(one as { topics: Hex[]; data: Hex }) })).toThrow()
    }
  })
})
