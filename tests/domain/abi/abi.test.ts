import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Abi, parseAbi, parseAbiItem, parseAbiParameters } from 'viem'
import { describe, expect, it } from 'vitest'
import { readAbi, readAbiItem, readParameters } from '../../../src/domain/abi/abi.ts'

const src = resolve(import.meta.dirname, '../../../src')

describe('readAbi', () => {
  it('reads every signature in the sources as viem does', () => {
    const lists = sources().map((text) => [
      ...text.matchAll(/(['`])((?:function|event|error|struct) \w+[({ ][^'`$]*)\1/g),
    ])
    const signatures = lists.map((list) => list.map(([, , signature = '']) => signature))
    expect(signatures.flat().length).toBeGreaterThan(40)
    for (const list of signatures.filter(({ length }) => length > 0)) {
      if (list.every((line) => line.startsWith('struct '))) continue
      expect(readAbi(list)()).toEqual(parseAbi(list) as Abi)
    }
  })

  it('reads structs, tuples and lists inside each other', () => {
    const lines = [
      'struct Outer { Inner[] inners; address to; }',
      'struct Inner { bytes data; uint256[] amounts; }',
      'function f(Outer outer, (uint8 a, (Inner b, bool)[2] c)[][3] more, string) payable returns (Inner[], (bool ok, bytes) last)',
      'function g((uint256 a, bytes b) c) pure returns (uint256)',
      'function h() view',
      'function i()',
      'event E(address indexed a, Inner b, bytes32 indexed)',
      'error None()',
    ] as const
    expect(readAbi(lines)()).toEqual(parseAbi(lines))
  })

  it('refuses what is no signature', () => {
    for (const line of [
      'function f',
      'fallback() external',
      'function f(uint256 a b)',
      'function f(,)',
      '',
    ]) {
      expect(readAbi([line]), line).toThrow(SyntaxError)
    }
  })
})

describe('readAbiItem', () => {
  it('reads one as viem does', () => {
    const line = 'function permit(address owner, uint8 v, bytes32) payable'
    expect(readAbiItem(line)).toEqual(parseAbiItem(line))
  })
})

describe('readParameters', () => {
  it('reads a list with its structs as viem does', () => {
    const route = [
      'Route route, uint256[] rest',
      'struct Route { address[] tokens; Branch[] branches; uint256 feePpm; }',
      'struct Branch { uint32 weight; Hop[] hops; }',
      'struct Hop { uint8 kind; bytes32 aux; }',
    ] as const
    expect(readParameters(route)).toEqual(parseAbiParameters(route))
    expect(readParameters(['uint256[], uint256[]'])).toEqual(parseAbiParameters('uint256[], uint256[]'))
  })
})

function sources(): string[] {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  return files.filter((file) => /\.tsx?$/.test(file)).map((file) => readFileSync(join(src, file), 'utf8'))
}
