import { getAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Address } from '../../../src/domain/token/token.ts'
import {
  account,
  bytes32,
  dai,
  encode,
  most,
  ours,
  permit2,
  thief,
  v6,
  weth,
  words,
} from '../../helpers/samples/callSamples.ts'

describe('token calls', () => {
  it('decodes a transfer', () => {
    expect(words(dai, encode('transfer(address,uint256)', [getAddress(thief), 7n]))).toEqual({
      kind: 'transfer',
      token: dai,
      to: thief,
      amount: 7n,
      warnings: [],
    })
  })

  it('decodes a transfer from another owner', () => {
    const data = encode('transferFrom(address,address,uint256)', [thief, account, 7n])
    expect(words(dai, data)).toMatchObject({ kind: 'transfer', from: thief, to: account, amount: 7n })
  })

  it('decodes an approval for a router without a warning', () => {
    const data = encode('approve(address,uint256)', [ours, 7n])
    expect(words(dai, data)).toEqual({ kind: 'approve', token: dai, spender: ours, amount: 7n, warnings: [] })
    expect(words(dai, encode('approve(address,uint256)', [v6, 7n])).warnings).toEqual([])
  })

  it('warns of an approval for a spender that is not a router', () => {
    expect(words(dai, encode('approve(address,uint256)', [ours, most])).warnings).toEqual([])
    expect(words(dai, encode('approve(address,uint256)', [thief, 1n])).warnings).toEqual(['unknown-spender'])
    expect(words(dai, encode('approve(address,uint256)', [thief, 2n ** 160n - 1n])).warnings).toEqual([
      'unknown-spender',
    ])
    expect(words(dai, encode('approve(address,uint256)', [ours, 2n ** 96n - 1n])).warnings).toEqual([])
  })

  it('returns no warning for a revoked approval', () => {
    expect(words(dai, encode('approve(address,uint256)', [thief, 0n])).warnings).toEqual([])
  })

  it('decodes an allowance increase', () => {
    const data = encode('increaseAllowance(address,uint256)', [thief, 9n])
    expect(words(dai, data)).toMatchObject({
      kind: 'approve',
      adds: true,
      amount: 9n,
      warnings: ['unknown-spender'],
    })
  })

  it('decodes Permit2 approvals at the Permit2 address only', () => {
    const data = encode('approve(address,address,uint160,uint48)', [dai, thief, 2n ** 160n - 1n, 99])
    expect(words(permit2, data)).toEqual({
      kind: 'approve',
      token: dai,
      spender: thief,
      amount: 2n ** 160n - 1n,
      until: 99n,
      warnings: ['unknown-spender'],
    })
    expect(words(dai, data).kind).toBe('unknown')
  })

  it('decodes an EIP-2612 permit', () => {
    const signature = 'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)'
    const data = encode(signature, [account, thief, most, 99n, 27, bytes32, bytes32])
    expect(words(dai, data)).toEqual({
      kind: 'permit',
      token: dai,
      owner: account,
      spender: thief,
      amount: most,
      until: 99n,
      warnings: ['unknown-spender'],
    })
  })

  it('decodes DAI permits that grant and that revoke', () => {
    const signature = 'permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)'
    const data = (allowed: boolean) =>
      encode(signature, [account, ours, 0n, 99n, allowed, 27, bytes32, bytes32])
    expect(words(dai, data(true))).toMatchObject({ kind: 'permit', amount: most, warnings: [] })
    expect(words(dai, data(false))).toMatchObject({ kind: 'permit', amount: 0n, warnings: [] })
  })

  it('decodes wrap and unwrap calls for the wrapped native token only', () => {
    const withdraw = encode('withdraw(uint256)', [5n])
    expect(words(weth, '0xd0e30db0', 5n)).toEqual({ kind: 'wrap', token: weth, amount: 5n, warnings: [] })
    expect(words(weth, withdraw)).toMatchObject({ kind: 'unwrap', amount: 5n })
    expect(words(thief, '0xd0e30db0', 5n)).toEqual({
      kind: 'unknown',
      to: thief,
      selector: '0xd0e30db0',
      name: 'deposit()',
      isPayment: true,
      bytes: 4,
      value: 5n,
      warnings: [],
    })
    expect(words(thief, withdraw, 1n)).toEqual({
      kind: 'unknown',
      to: thief,
      selector: '0x2e1a7d4d',
      name: 'withdraw(uint256)',
      bytes: 36,
      value: 1n,
      warnings: [],
    })
  })

  it('warns of native tokens sent with a transfer or an approval', () => {
    expect(words(dai, encode('transfer(address,uint256)', [thief, 7n]), 1n).warnings).toEqual(['coins-along'])
    expect(words(dai, encode('approve(address,uint256)', [ours, 7n]), 1n).warnings).toEqual(['coins-along'])
  })
})

describe('NFT collection calls', () => {
  it('warns of an operator approval for all items, but not of its revocation', () => {
    const data = (operator: Address, yes: boolean) =>
      encode('setApprovalForAll(address,bool)', [operator, yes])
    expect(words(dai, data(thief, true))).toEqual({
      kind: 'approve-all',
      collection: dai,
      operator: thief,
      approved: true,
      warnings: ['unknown-spender'],
    })
    expect(words(dai, data(thief, false)).warnings).toEqual([])
  })

  it.each<[string, string, unknown[], { id: bigint; amount: bigint }[]]>([
    ['an item', 'safeTransferFrom(address,address,uint256)', [5n], [{ id: 5n, amount: 1n }]],
    [
      'an item with data',
      'safeTransferFrom(address,address,uint256,bytes)',
      [5n, '0x1234'],
      [{ id: 5n, amount: 1n }],
    ],
    [
      'several',
      'safeTransferFrom(address,address,uint256,uint256,bytes)',
      [5n, 3n, '0x'],
      [{ id: 5n, amount: 3n }],
    ],
    [
      'a batch',
      'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
      [[5n, 6n], [1n, 2n], '0x'],
      [
        { id: 5n, amount: 1n },
        { id: 6n, amount: 2n },
      ],
    ],
  ])('decodes a transfer of %s', (_name, signature, args, items) => {
    expect(words(dai, encode(signature, [account, thief, ...args]))).toEqual({
      kind: 'transfer-items',
      collection: dai,
      from: account,
      to: thief,
      items,
      warnings: [],
    })
  })

  it('does not decode a batch whose lists differ in length', () => {
    const signature = 'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)'
    expect(words(dai, encode(signature, [account, thief, [1n], [], '0x'])).kind).toBe('unknown')
  })
})
