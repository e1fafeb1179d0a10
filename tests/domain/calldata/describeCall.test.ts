import fc from 'fast-check'
import { getAddress, toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Call } from '../../../src/domain/activity/callBatch.ts'
import { describeCall } from '../../../src/domain/calldata/describeCall.ts'
import { type Address, type Hex, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import {
  account,
  aggregated,
  dai,
  encode,
  most,
  ours,
  permit2,
  route,
  thief,
  v6,
  weth,
  words,
} from '../../helpers/samples/callSamples.ts'

describe('native transfers and contract creations', () => {
  it('decodes a native transfer', () => {
    expect(words(thief, '0x', 5n)).toEqual({
      kind: 'transfer',
      token: nativeTokenAddress,
      to: thief,
      amount: 5n,
      warnings: [],
    })
  })

  it('decodes a native transfer of zero', () => {
    expect(words(thief, '0x')).toMatchObject({ kind: 'transfer', amount: 0n })
  })

  it('decodes a contract creation with its size and value', () => {
    expect(words(undefined, '0x600160015500', 3n)).toEqual({
      kind: 'create',
      bytes: 6,
      value: 3n,
      warnings: [],
    })
  })
})

describe('unknown calldata', () => {
  const transfer = encode('transfer(address,uint256)', [thief, 7n])

  it('reports the selector and the size of an unknown call', () => {
    expect(words(dai, '0xDEADBEEF0102', 4n)).toEqual({
      kind: 'unknown',
      to: dai,
      selector: '0xdeadbeef',
      bytes: 6,
      value: 4n,
      warnings: [],
    })
    expect(words(dai, '0x12')).toMatchObject({ kind: 'unknown', selector: '0x12', bytes: 1 })
  })

  it.each<[string, Hex]>([
    ['trailing bytes', `${transfer}00`],
    ['a trailing word', `${transfer}${'00'.repeat(32)}`],
    ['too few bytes', transfer.slice(0, -2) as Hex],
    ['the selector alone', '0xa9059cbb'],
    ['something above the address', `0xa9059cbb01${transfer.slice(12)}`],
    ['a bool of two', encode('setApprovalForAll(address,bool)', [thief, true]).replace(/1$/, '2') as Hex],
    ['something after deposit', '0xd0e30db000'],
    ['something after a swap', `${aggregated()}00`],
  ])('does not decode calldata with %s', (_name, data) => {
    expect(words(dai, data).kind).toBe('unknown')
  })

  it('does not decode calldata with a non-canonical offset', () => {
    const data = aggregated()
    const at = 10 + 64 * 8
    const shifted = `${data.slice(0, at)}${toHex(0x140, { size: 32 }).slice(2)}${'00'.repeat(32)}${data.slice(at + 64)}`
    expect(words(v6, shifted as Hex).kind).toBe('unknown')
  })

  it('reads calldata and addresses in any letter case', () => {
    const data = `0x${transfer.slice(2).toUpperCase()}` as Hex
    expect(words(getAddress(dai).toLowerCase() as Address, data)).toMatchObject({
      kind: 'transfer',
      to: thief,
    })
    expect(words(getAddress(dai) as Address, data)).toMatchObject({ token: dai })
  })
})

describe('describeCall', () => {
  const known = [
    encode('transfer(address,uint256)', [thief, 7n]),
    encode('approve(address,uint256)', [thief, most]),
    encode('safeTransferFrom(address,address,uint256,bytes)', [account, thief, 1n, '0x12']),
    encode('safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)', [
      account,
      thief,
      [1n],
      [1n],
      '0x',
    ]),
    aggregated(),
    aggregated({}, ours, route(1n, thief)),
    encode('swapExactTokensForTokens(uint256,uint256,address[],address,uint256)', [
      1n,
      1n,
      [dai, weth],
      account,
      1n,
    ]),
    encode('exactInput((bytes,address,uint256,uint256))', [
      [`${dai}0001f4${weth.slice(2)}`, account, 1n, 1n],
    ]),
  ]

  it('never throws on random calldata', () => {
    const noise = fc.uint8Array({ maxLength: 600 }).map((bytes) => toHex(bytes))
    const behind = fc
      .tuple(fc.constantFrom(...known), noise)
      .map(([data, tail]) => (data.slice(0, 10) + tail.slice(2)) as Hex)
    const bent = fc
      .tuple(fc.constantFrom(...known), fc.nat(), fc.integer({ min: 1, max: 255 }))
      .map(([data, at, flip]) => {
        const bytes = Buffer.from(data.slice(2), 'hex')
        const place = at % bytes.length
        bytes[place] = (bytes[place] ?? 0) ^ flip
        return toHex(bytes)
      })
    const odd = fc.string().map((text) => text as Hex)
    const call: fc.Arbitrary<Call> = fc.record({
      to: fc.constantFrom(dai, ours, v6, permit2),
      data: fc.oneof(noise, behind, bent, odd),
      value: fc.bigInt(0n, most),
    })
    fc.assert(
      fc.property(call, (each) => {
        const found = describeCall(each, { account, chainId: 1, routers: [ours] })
        expect(found.kind).toBeTypeOf('string')
        expect(Array.isArray(found.warnings)).toBe(true)
      }),
      { numRuns: 5_000 },
    )
  })

  it('returns the encoded recipient and amount of any transfer', () => {
    const amount = fc.bigInt(0n, most)
    const owner = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => toHex(bytes))
    fc.assert(
      fc.property(owner, amount, (to, sent) => {
        const found = words(dai, encode('transfer(address,uint256)', [to, sent]))
        expect(found).toMatchObject({ kind: 'transfer', to, amount: sent })
      }),
      { numRuns: 500 },
    )
  })
})
