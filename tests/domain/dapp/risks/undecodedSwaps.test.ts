import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../../../src/domain/abi/routers/exchange.ts'
import type { BalanceChange, Simulation } from '../../../../src/domain/activity/simulation.ts'
import type { DecodedCall } from '../../../../src/domain/calldata/decodedCall.ts'
import { undecodedSwapRisks } from '../../../../src/domain/dapp/risks/undecodedSwaps.ts'
import { type Address, nativeTokenAddress } from '../../../../src/domain/token/token.ts'
import { usdc } from '../../../helpers/state/fakes.ts'

const [account, router, dai, weth, bat] = ['a1', 'd4', 'c3', 'e5', 'b7'].map(
  (byte): Address => `0x${byte.repeat(20)}`,
) as [Address, Address, Address, Address, Address]
const change = (address: Address, amount: bigint, nft?: bigint): BalanceChange => ({
  token: { ...usdc, address },
  amount,
  ...(nft !== undefined && { nft }),
})
const swap = (...minimums: Exchange['minimums']): DecodedCall => ({
  kind: 'unknown',
  to: router,
  selector: '0x3593564c',
  bytes: 4,
  value: 0n,
  exchange: { sold: [dai], minimums },
  warnings: [],
})
const risks = (calls: DecodedCall[], changes: BalanceChange[], more: Partial<Simulation> = {}) =>
  undecodedSwapRisks(calls, {
    account,
    wrapped: [weth],
    simulation: { status: 'succeeds', changes, grants: [], ...more } as Simulation,
  })

const sold = change(dai, -1_000n)

describe('undecodedSwapRisks', () => {
  it('reports a minimum below 90 % of the simulated return', () => {
    const brings = (amount: bigint) => [swap({ token: bat, amount })]
    const changes = [sold, change(bat, 100n)]
    expect(risks(brings(90n), changes)).toEqual([])
    expect(risks(brings(89n), changes)).toEqual([
      { kind: 'low-minimum', buy: bat, promised: 89n, expected: 100n, isGrave: true },
    ])
    expect(risks(brings(0n), changes)).toMatchObject([{ kind: 'low-minimum', promised: 0n }])
  })

  it('compares each bought token and counts the wrapped token as native', () => {
    const call = [swap({ token: nativeTokenAddress, amount: 90n }, { token: bat, amount: 1n })]
    const changes = [sold, change(weth, 60n), change(nativeTokenAddress, 40n), change(bat, 100n)]
    expect(risks(call, changes)).toMatchObject([{ kind: 'low-minimum', buy: bat }])
    const other = [sold, change(weth, 100n), change(usdc.address, 5n)]
    expect(risks([swap({ token: nativeTokenAddress, amount: 95n })], other)).toEqual([])
  })

  it('compares the only incoming token when the calldata does not name the bought one', () => {
    expect(risks([swap({ amount: 95n })], [sold, change(bat, 100n)])).toEqual([])
    expect(risks([swap({ amount: 1n })], [sold, change(bat, 100n)])).toMatchObject([{ kind: 'low-minimum' }])
  })

  it('reports a return below the minimum, with a tolerance of three percent for fees', () => {
    const call = [swap({ token: bat, amount: 1_000n })]
    expect(risks(call, [sold, change(bat, 970n)])).toEqual([])
    expect(risks(call, [sold, change(bat, 969n)])).toEqual([
      { kind: 'below-minimum', buy: bat, received: 969n, promised: 1_000n, isGrave: true },
    ])
    expect(risks(call, [sold])).toMatchObject([{ kind: 'below-minimum', received: 0n }])
  })

  it('reports a swap that takes tokens and returns none of the bought ones', () => {
    const none = [{ kind: 'call', warning: 'no-floor', isGrave: true }]
    expect(risks([swap({ token: bat, amount: 0n })], [sold])).toEqual(none)
    expect(risks([swap({ token: bat, amount: 0n })], [sold, change(usdc.address, 5n)])).toEqual(none)
    // Paid with the bought token.
    expect(risks([swap({ token: bat, amount: 0n })], [sold, change(router, 1n, 7n)])).toEqual([])
    expect(risks([swap({ token: bat, amount: 0n })], [])).toEqual([])
  })

  it('measures a swap in a batch by its own outcome', () => {
    const { exchange: _exchange, ...claim } = swap() as Extract<DecodedCall, { kind: 'unknown' }>
    const parts = [{ changes: [{ token: bat, amount: 500n }], grants: [] }]
    const all = [sold, change(bat, 600n)]
    expect(risks([claim, swap({ token: bat, amount: 95n })], all, { parts })).toEqual([])
    expect(risks([claim, swap({ token: bat, amount: 80n })], all, { parts })).toMatchObject([
      { kind: 'low-minimum', promised: 80n, expected: 100n },
    ])
  })

  it('reports nothing when the simulation does not succeed', () => {
    expect(risks([swap({ token: bat, amount: 0n })], [], { status: 'reverts' } as never)).toEqual([])
  })
})
