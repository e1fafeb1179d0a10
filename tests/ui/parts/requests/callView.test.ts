import { encodeFunctionData, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import { type CallWords, describeCall } from '../../../../src/domain/abi/callWords.ts'
import { type Address, native } from '../../../../src/domain/token/token.ts'
import {
  doubtsOf,
  hiddenDoubts,
  unseenDoubts,
  viewOfCall,
} from '../../../../src/ui/parts/requests/callView.ts'
import { usdc } from '../../../state/standIns.ts'

const account: Address = `0x${'a1'.repeat(20)}`
const other: Address = `0x${'b2'.repeat(20)}`
const token: Address = `0x${'c3'.repeat(20)}`
const router: Address = `0x${'d4'.repeat(20)}`

const abi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function setApprovalForAll(address operator, bool approved)',
])

function approve(spender: Address, amount: bigint): CallWords {
  const data = encodeFunctionData({ abi, functionName: 'approve', args: [spender, amount] })
  return describeCall({ to: token, data, value: 0n }, { account, chainId: 31337, routers: [router] })
}

describe('what a call does', () => {
  it('is sending, with whom it goes to', () => {
    const words = describeCall({ to: other, data: '0x', value: 5n }, { account, chainId: 31337, routers: [] })
    expect(viewOfCall(words, account)).toEqual({
      title: 'Send',
      sides: [{ what: 'You send', amount: 5n, address: native }],
      facts: [{ name: 'To', address: other }],
    })
  })

  it('is letting tokens be taken, or taking that back', () => {
    expect(viewOfCall(approve(router, 7n), account)).toEqual({
      title: 'Let tokens be taken',
      sides: [{ what: 'May take from you', amount: 7n, address: token }],
      facts: [{ name: 'Who', address: router }],
    })
    expect(viewOfCall(approve(router, 0n), account).title).toBe('Take a permission back')
  })

  it('is every item when a whole collection may be taken', () => {
    const data = encodeFunctionData({ abi, functionName: 'setApprovalForAll', args: [other, true] })
    const words = describeCall({ to: token, data, value: 0n }, { account, chainId: 31337, routers: [] })
    expect(viewOfCall(words, account).sides).toEqual([
      { what: 'May take from you', amount: 'all', address: token },
    ])
  })

  it('is unknown with the coins that go along', () => {
    const words = describeCall(
      { to: other, data: '0x12345678', value: 9n },
      { account, chainId: 31337, routers: [] },
    )
    expect(viewOfCall(words, account)).toMatchObject({
      title: 'Call a contract',
      sides: [{ amount: 9n, address: native }],
    })
  })

  it('is a function’s name alone on a contract that may mean anything by it', () => {
    const words = describeCall(
      { to: other, data: '0xd0e30db0', value: 9n },
      { account, chainId: 31337, routers: [] },
    )
    expect(viewOfCall(words, account)).toEqual({
      title: 'Call a contract',
      sides: [{ what: 'You send along', amount: 9n, address: native }],
      facts: [
        { name: 'Contract', address: other },
        { name: 'Function', text: 'deposit()' },
        { name: 'Data', text: '4 bytes' },
      ],
    })
  })

  it('is a swap whose receiver stands out when it is somebody else', () => {
    const swap: CallWords = {
      kind: 'swap',
      router,
      sell: token,
      buy: native,
      amount: 10n,
      floor: 9n,
      receiver: other,
      value: 0n,
      fee: { ppm: 2_500n, taker: other },
      warnings: ['foreign-receiver', 'fee'],
    }
    expect(viewOfCall(swap, account)).toEqual({
      title: 'Swap',
      sides: [
        { what: 'You sell at most', amount: 10n, address: token },
        { what: 'Bought at least', amount: 9n, address: native, isGain: false },
      ],
      facts: [
        { name: 'Receiver', address: other, isBad: true },
        { name: 'Router', address: router },
        { name: 'Fee', text: '0.25% of what is sold' },
        { name: 'Fee goes to', address: other },
      ],
    })
    expect(viewOfCall({ ...swap, receiver: account }, account).facts[0]).toEqual({
      name: 'Receiver',
      text: 'This account',
    })
  })
})

describe('permissions that no call speaks of', () => {
  const collection = { ...usdc, address: token }

  it('are grave when they have no limit', () => {
    const hidden = [{ token: collection, spender: other, amount: 'all' as const }]
    expect(hiddenDoubts([], hidden)).toMatchObject([{ isGrave: true }])
    expect(hiddenDoubts([approve(router, 1n)], hidden)).toHaveLength(1)
    expect(hiddenDoubts([], [{ token: collection, spender: other, amount: 5n }])).toEqual([])
  })

  it('are not hidden when a call asks for them', () => {
    const grants = [{ token: collection, spender: other, amount: 2n ** 256n - 1n }]
    expect(hiddenDoubts([approve(other, 2n ** 256n - 1n)], grants)).toEqual([])
  })
})

describe('what nobody looked at', () => {
  it('is grave when too much takes part, not when the node cannot simulate', () => {
    const unknown = { status: 'unknown', reason: 'no' } as const
    expect(unseenDoubts({ ...unknown, isCrowded: true })).toMatchObject([{ isGrave: true }])
    expect(unseenDoubts(unknown)).toEqual([])
    expect(unseenDoubts(undefined)).toEqual([])
  })

  it('is grave when the outcome depends on the block, and noted when contracts can tell the simulation', () => {
    const succeeds = { status: 'succeeds' as const, changes: [], grants: [] }
    const found = (more: object) => unseenDoubts({ ...succeeds, ...more }).map(({ isGrave }) => isGrave)
    expect(found({})).toEqual([])
    expect(found({ isUnstable: true })).toEqual([true])
    expect(found({ isWeak: true })).toEqual([false])
  })
})

describe('doubts', () => {
  const all = 2n ** 256n - 1n

  it('are grave when there is no limit for a stranger, not when there is one, or for a router', () => {
    expect(doubtsOf([approve(other, all)]).map(({ isGrave }) => isGrave)).toEqual([true, true])
    expect(doubtsOf([approve(other, 5n)]).map(({ isGrave }) => isGrave)).toEqual([false])
    expect(doubtsOf([approve(router, all)]).map(({ isGrave }) => isGrave)).toEqual([false])
    expect(doubtsOf([approve(router, 5n)])).toEqual([])
  })

  it('are said once for all calls, as gravely as the worst', () => {
    const said = doubtsOf([approve(other, 5n), approve(other, all), approve(router, all)])
    expect(said).toHaveLength(2)
    expect(said.every(({ isGrave }) => isGrave)).toBe(true)
  })
})
