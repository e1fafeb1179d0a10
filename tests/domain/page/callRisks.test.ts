import { describe, expect, it } from 'vitest'
import type { CallWords } from '../../../src/domain/abi/callWords.ts'
import type { Change, Grant, Simulation } from '../../../src/domain/activity/calls.ts'
import type { CallFacts } from '../../../src/domain/page/callFacts.ts'
import { callRisks, questionsOf } from '../../../src/domain/page/callRisks.ts'
import { keysToAcknowledge, riskKey } from '../../../src/domain/page/risk.ts'
import { type Address, native } from '../../../src/domain/token/token.ts'
import { usdc } from '../../state/standIns.ts'

const [account, other, dai, weth, router] = ['a1', 'b2', 'c3', 'e5', 'd4'].map(
  (byte): Address => `0x${byte.repeat(20)}`,
) as [Address, Address, Address, Address, Address]
const tokenAt = (address: Address) => ({ ...usdc, address })
const change = (address: Address, amount: bigint, nft?: bigint): Change => ({
  token: tokenAt(address),
  amount,
  ...(nft !== undefined && { nft }),
})
const simulated = (changes: Change[], grants: Grant[] = []): Simulation => ({
  status: 'succeeds',
  changes,
  grants,
})
const facts = (more: Partial<CallFacts> = {}): CallFacts => ({ account, wrapped: [weth], ...more })
const approve = (amount: bigint, spender = other): CallWords => ({
  kind: 'approve',
  token: dai,
  spender,
  amount,
  warnings: spender === router ? [] : ['unknown-spender'],
})
const unknown: CallWords = {
  kind: 'unknown',
  to: other,
  selector: '0x12345678',
  bytes: 4,
  value: 0n,
  warnings: [],
}
const graves = (...asked: Parameters<typeof callRisks>) =>
  callRisks(...asked)
    .filter(({ isGrave }) => isGrave)
    .map(({ kind }) => kind)

describe('allowances', () => {
  it('are grave for a stranger while the balance is not known, and only said for a known router', () => {
    expect(graves([approve(1n)], facts())).toEqual(['beyond-balance'])
    expect(callRisks([approve(1n, router)], facts())).toEqual([])
    expect(callRisks([approve(2n ** 256n - 1n, router)], facts())).toMatchObject([{ isGrave: false }])
  })

  it('that no call speaks of are grave beyond the balance, unless they were there before', () => {
    const grants = [{ token: tokenAt(dai), spender: router, amount: 50n }]
    const simulation = simulated([], grants)
    const balances = { [dai]: 40n }
    expect(callRisks([unknown], facts({ simulation, balances }))).toMatchObject([
      { kind: 'beyond-balance', isHidden: true, isGrave: true },
    ])
    expect(graves([unknown], facts({ simulation, balances: { [dai]: 50n } }))).toEqual([])
    // A token that logs the rest of an allowance whenever some of it is used.
    const allowances = [{ token: dai, spender: router, amount: 90n }]
    expect(graves([unknown], facts({ simulation, balances, allowances }))).toEqual([])
    const all = simulated([], [{ token: tokenAt(dai), spender: router, amount: 'all' }])
    expect(graves([unknown], facts({ simulation: all, balances }))).toEqual(['beyond-balance'])
  })

  it('of a single item are not compared with a balance', () => {
    const item = 10n ** 30n
    const simulation = simulated([], [{ token: tokenAt(dai), spender: other, amount: 1n, nft: item }])
    expect(graves([approve(item)], facts({ simulation, balances: { [dai]: 3n } }))).toEqual([])
  })
})

describe('an exchange', () => {
  const sold = [change(dai, -1_000n)]
  const price =
    (rate: bigint) =>
    ({ amount }: { amount: bigint }) =>
      amount * rate

  it('is a loss below 90 % of what leaves, whatever small amounts arrive with it', () => {
    const tell = (changes: Change[], rate?: bigint) =>
      callRisks([unknown], facts({ simulation: simulated(changes), ...(rate && { returns: price(rate) }) }))
    expect(tell([...sold, change(other, 900n)], 1n)).toEqual([])
    expect(tell([...sold, change(other, 899n)], 1n)).toMatchObject([
      { kind: 'loss', received: 899n, expected: 1_000n },
    ])
    expect(tell([...sold, change(other, 1n), change(native, 1n)], 1n)).toMatchObject([{ kind: 'loss' }])
    expect(tell([...sold, change(other, 1n)])).toEqual([{ kind: 'unpriced', isGrave: false }])
  })

  it('is grave where an undecoded call gives a token that is in no list and has no price', () => {
    const unlisted: Change = { token: { ...tokenAt(other), listed: false }, amount: 1n }
    const tell = (calls: CallWords[], more: Partial<CallFacts> = {}) =>
      callRisks(calls, facts({ simulation: simulated([...sold, unlisted]), ...more }))
    const doubtful = { kind: 'doubtful-token', token: other, isGrave: true }
    const note = { kind: 'unpriced', isGrave: false }
    expect(tell([unknown])).toEqual([doubtful])
    expect(tell([unknown], { listed: [other] })).toEqual([note])
    expect(tell([unknown], { returns: ({ sell }) => (sell === other ? 1n : undefined) })).toEqual([note])
    expect(tell([approve(5n, router)])).toEqual([note])
    expect(callRisks([unknown], facts({ simulation: simulated([unlisted]) }))).toEqual([])
  })

  it('is none for items, for payments, and between the native token and its wrapped one', () => {
    for (const changes of [
      [...sold, change(other, 1n, 7n)],
      sold,
      [change(native, -5n), change(weth, 5n)],
      [change(other, 5n)],
    ]) {
      expect(
        callRisks([unknown], facts({ simulation: simulated(changes), returns: () => 10n ** 9n })),
      ).toEqual([])
    }
  })
})

describe('a simulation', () => {
  it('is a grave risk when too much takes part or the block decides, and when contracts can tell it if a return is at stake', () => {
    const risksOf = (simulation: Simulation) => callRisks([unknown], facts({ simulation }))
    const succeeds = { status: 'succeeds' as const, changes: [change(dai, 1n)], grants: [] }
    expect(risksOf({ status: 'unknown', reason: 'no', isCrowded: true })).toEqual([
      { kind: 'unseen', isGrave: true },
    ])
    expect(risksOf({ status: 'unknown', reason: 'no' })).toEqual([])
    expect(risksOf({ ...succeeds, isUnstable: true })).toEqual([{ kind: 'unstable', isGrave: true }])
    const weak = (...changes: Change[]) => risksOf({ ...succeeds, isWeak: true, changes })
    const note = [{ kind: 'weak', isGrave: false }]
    expect(weak()).toEqual([...note, { kind: 'no-change', isGrave: true }])
    expect(weak(change(dai, -10n))).toEqual(note)
    expect(weak(change(dai, 10n))).toEqual(note)
    expect(weak(change(native, -5n), change(dai, 10n))).toContainEqual({ kind: 'weak', isGrave: true })
    expect(risksOf(succeeds)).toEqual([])
  })

  it('is a grave risk when a call that is not decoded changes nothing, also beside others', () => {
    const parts = [{ changes: [{ token: dai, amount: 1_000n }], grants: [] }]
    const risksOf = (amount: bigint) => {
      const changes = [change(dai, amount)]
      const simulation: Simulation = { status: 'succeeds', changes, grants: [], parts }
      return callRisks([unknown, unknown], facts({ simulation }))
    }
    expect(callRisks([unknown], facts({ simulation: simulated([]) }))).toEqual([
      { kind: 'no-change', isGrave: true },
    ])
    expect(risksOf(1_000n)).toEqual([{ kind: 'no-change', isGrave: true }])
    expect(risksOf(1_010n)).toEqual([{ kind: 'no-change', isGrave: true }])
    expect(risksOf(1_011n)).toEqual([])
  })
})

describe('what has to be known', () => {
  it('are the balances of what others may take, and the prices of what is exchanged', () => {
    const simulation = simulated([change(dai, -10n), change(other, 2n)])
    expect(questionsOf([approve(5n)], facts({ simulation }))).toEqual({
      balances: [dai],
      allowances: [{ token: dai, spender: other }],
      trades: [{ sell: dai, buy: other, amount: 10n }],
    })
  })
})

describe('an acknowledgement', () => {
  it('stands while an amount moves a little, and not when it moves far', () => {
    const loss = (received: bigint) =>
      riskKey({ kind: 'loss', buy: dai, received, expected: 1_000n, isGrave: true })
    expect(loss(850n)).toBe(loss(820n))
    expect(loss(850n)).not.toBe(loss(500n))
  })

  it('is needed once for each grave risk', () => {
    const [first, second] = callRisks([approve(5n), approve(6n)], facts())
    expect(keysToAcknowledge([first!, second!, first!])).toHaveLength(1)
  })
})
