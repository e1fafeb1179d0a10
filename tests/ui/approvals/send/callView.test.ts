import { encodeFunctionData, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import type { DecodedCall } from '../../../../src/domain/calldata/decodedCall.ts'
import { describeCall } from '../../../../src/domain/calldata/describeCall.ts'
import { type Address, nativeTokenAddress } from '../../../../src/domain/token/token.ts'
import { toCallView } from '../../../../src/ui/approvals/send/callView.ts'

const account: Address = `0x${'a1'.repeat(20)}`
const other: Address = `0x${'b2'.repeat(20)}`
const token: Address = `0x${'c3'.repeat(20)}`
const router: Address = `0x${'d4'.repeat(20)}`

const abi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function setApprovalForAll(address operator, bool approved)',
])

function approve(spender: Address, amount: bigint): DecodedCall {
  const data = encodeFunctionData({ abi, functionName: 'approve', args: [spender, amount] })
  return describeCall({ to: token, data, value: 0n }, { account, chainId: 31337, routers: [router] })
}

describe('toCallView', () => {
  it('labels the button by the kind of call', () => {
    const act = (words: DecodedCall) => toCallView(words, account).act
    expect(act(approve(router, 7n))).toBe('Approve')
    expect(act(approve(router, 0n))).toBe('Revoke')
    const all = (approved: boolean) =>
      describeCall(
        {
          to: token,
          data: encodeFunctionData({ abi, functionName: 'setApprovalForAll', args: [other, approved] }),
          value: 0n,
        },
        { account, chainId: 31337, routers: [] },
      )
    expect([act(all(true)), act(all(false))]).toEqual(['Approve', 'Revoke'])
    const call = (data: '0x' | '0x1a2b3c4d', to?: Address) =>
      describeCall({ ...(to && { to }), data, value: 1n }, { account, chainId: 31337, routers: [] })
    expect(act(call('0x', other))).toBe('Send')
    expect(act(call('0x1a2b3c4d', other))).toBe('Confirm')
    expect(act(call('0x1a2b3c4d'))).toBe('Create')
    expect(act({ kind: 'delegate', contract: token, delegatee: other, warnings: [] })).toBe('Delegate')
  })

  it('describes calldata for an address without a contract as sending data', () => {
    const words = describeCall(
      { to: other, data: '0x1a2b3c4d', value: 1n },
      { account, chainId: 31337, routers: [] },
    )
    expect(toCallView(words, account, false)).toMatchObject({
      title: 'Send data',
      facts: [{ name: 'To', address: other, isRecipient: true }, { name: 'Data' }],
    })
    expect(toCallView(words, account).title).toBe('Interact with a contract')
  })

  it('shows whether the spender is a known router, and how long a permit stays valid', () => {
    expect(toCallView(approve(other, 7n), account).facts).toEqual([
      { name: 'Spender', address: other, router: 'unknown' },
    ])
    const permit: DecodedCall = {
      kind: 'permit',
      token,
      owner: account,
      spender: router,
      amount: 7n,
      until: 1_700_000_600n,
      warnings: [],
    }
    expect(toCallView(permit, account).facts).toEqual([
      { name: 'From', address: account },
      { name: 'Spender', address: router, router: 'known' },
      { name: 'Validity', text: 'Until it’s used or revoked' },
    ])
  })

  it('describes a native token transfer with its recipient', () => {
    const words = describeCall({ to: other, data: '0x', value: 5n }, { account, chainId: 31337, routers: [] })
    expect(toCallView(words, account)).toEqual({
      title: 'Send',
      act: 'Send',
      sides: [{ what: 'You send', amount: 5n, address: nativeTokenAddress }],
      facts: [{ name: 'To', address: other, isRecipient: true }],
    })
  })

  it('describes a token approval and its revocation', () => {
    expect(toCallView(approve(router, 7n), account)).toEqual({
      title: 'Approve token spending',
      act: 'Approve',
      sides: [{ what: 'Spending approval', amount: 7n, address: token }],
      facts: [{ name: 'Spender', address: router, router: 'known' }],
    })
    expect(toCallView(approve(router, 0n), account).title).toBe('Revoke approval')
  })

  it('shows an approval for a whole collection with the amount “all”', () => {
    const data = encodeFunctionData({ abi, functionName: 'setApprovalForAll', args: [other, true] })
    const words = describeCall({ to: token, data, value: 0n }, { account, chainId: 31337, routers: [] })
    expect(toCallView(words, account).sides).toEqual([
      { what: 'Spending approval', amount: 'all', address: token },
    ])
    expect(toCallView(words, account).facts).toContainEqual({
      name: 'Items',
      text: 'All of this collection, now and later',
    })
  })

  it('describes an unknown call with the native amount that it sends', () => {
    const words = describeCall(
      { to: other, data: '0x12345678', value: 9n },
      { account, chainId: 31337, routers: [] },
    )
    expect(toCallView(words, account)).toMatchObject({
      title: 'Interact with a contract',
      sides: [{ amount: 9n, address: nativeTokenAddress }],
    })
  })

  it('shows only the function name of a known selector on an unknown contract', () => {
    const words = describeCall(
      { to: other, data: '0xd0e30db0', value: 9n },
      { account, chainId: 31337, routers: [] },
    )
    expect(toCallView(words, account)).toEqual({
      title: 'Interact with a contract',
      act: 'Confirm',
      sides: [{ what: 'Value sent', amount: 9n, address: nativeTokenAddress }],
      facts: [
        { name: 'Contract', address: other },
        { name: 'Function', text: 'deposit()' },
        { name: 'Data', text: '4 bytes' },
      ],
    })
  })

  it('highlights the recipient of a swap when it is another address', () => {
    const swap: DecodedCall = {
      kind: 'swap',
      router,
      sell: token,
      buy: nativeTokenAddress,
      amount: 10n,
      floor: 9n,
      receiver: other,
      value: 0n,
      fee: { ppm: 2_500n, taker: other },
      warnings: ['foreign-receiver', 'fee'],
    }
    expect(toCallView(swap, account)).toEqual({
      title: 'Swap',
      act: 'Swap',
      sides: [
        { what: 'You sell (max)', amount: 10n, address: token },
        { what: 'Minimum received', amount: 9n, address: nativeTokenAddress, isGain: false },
      ],
      facts: [
        { name: 'Recipient', address: other, isBad: true, isRecipient: true },
        { name: 'Router', address: router, router: 'known' },
        { name: 'Fee', text: '0.25% of the sell amount' },
        { name: 'Fee recipient', address: other },
      ],
    })
    expect(toCallView({ ...swap, receiver: account }, account).facts[0]).toEqual({
      name: 'Recipient',
      text: 'This account',
    })
  })
})
