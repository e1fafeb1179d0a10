import { encodeFunctionData, erc20Abi, parseAbi } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Call } from '../../../src/domain/activity/callBatch.ts'
import type { Simulation } from '../../../src/domain/activity/simulation.ts'
import {
  findEditableApproval,
  findLimitedToken,
  limitSpending,
} from '../../../src/domain/dapp/spendingLimit.ts'
import { permit2 } from '../../../src/domain/signing/permit2.ts'
import { maxUint256 } from '../../../src/domain/token/amount.ts'
import type { Address, Token } from '../../../src/domain/token/token.ts'

const token: Address = `0x${'aa'.repeat(20)}`
const spender: Address = `0x${'bb'.repeat(20)}`
const on = { account: `0x${'cc'.repeat(20)}` as Address, chainId: 1 }
const abi = parseAbi([
  'function increaseAllowance(address spender, uint256 amount)',
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
])

const approve = (amount: bigint, by = spender): Call => ({
  to: token,
  value: 0n,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [by, amount] }),
})
const raise = (amount: bigint): Call => ({
  to: token,
  value: 0n,
  data: encodeFunctionData({ abi, functionName: 'increaseAllowance', args: [spender, amount] }),
})
const lend = (amount: bigint): Call => ({
  to: permit2,
  value: 0n,
  data: encodeFunctionData({ abi, functionName: 'approve', args: [token, spender, amount, 1_900_000_000] }),
})
const transfer: Call = {
  to: token,
  value: 0n,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [spender, 5n] }),
}
const refused = expect.objectContaining({ code: 'invalid-input' })

describe('limitSpending', () => {
  it('replaces only the amount of approve', () => {
    const asked = { ...approve(2n ** 160n - 1n), gas: 60_000n }
    expect(limitSpending([asked], 100n, on)).toEqual([{ ...approve(100n), gas: 60_000n }])
  })

  it('may raise the amount up to the maximum of its type', () => {
    expect(limitSpending([approve(1n)], maxUint256, on)).toEqual([approve(maxUint256)])
    expect(() => limitSpending([approve(1n)], maxUint256 + 1n, on)).toThrow(refused)
  })

  it('edits the only approval of a batch and keeps the other calls', () => {
    expect(limitSpending([transfer, approve(9n), transfer], 4n, on)).toEqual([
      transfer,
      approve(4n),
      transfer,
    ])
    expect(findEditableApproval([transfer, approve(9n)], on)).toMatchObject({ at: 1, amount: 9n, spender })
  })

  it('refuses several approvals, increaseAllowance, Permit2’s approve, revocations, other calls and a limit of 0', () => {
    for (const calls of [
      [approve(1n), lend(1n)],
      [raise(1n)],
      [approve(1n), raise(1n)],
      [approve(0n)],
      [transfer],
      [],
    ]) {
      expect(findEditableApproval(calls, on)).toBeUndefined()
      expect(() => limitSpending(calls, 1n, on)).toThrow(refused)
    }
    expect(() => limitSpending([approve(1n)], 0n, on)).toThrow(refused)
    expect(() => limitSpending([approve(1n)], -1n, on)).toThrow(refused)
  })

  it('refuses an approve call with bytes that do not encode back, or of another function', () => {
    const { data } = approve(1n)
    const longer = { ...approve(1n), data: `${data}00` as const }
    const dirty = { ...approve(1n), data: data.replace('0x095ea7b30', '0x095ea7b3f') as typeof data }
    for (const call of [longer, dirty, { ...lend(1n), to: token }, { data, value: 0n }]) {
      expect(() => limitSpending([call], 1n, on)).toThrow(refused)
    }
  })
})

describe('findLimitedToken', () => {
  const read: Token = {
    address: token,
    symbol: 'USDC',
    name: 'USD Coin',
    decimals: 6,
    listed: false,
    eip2612: false,
    taxed: false,
    tags: [],
  }
  const other: Address = `0x${'dd'.repeat(20)}`
  const found = { at: 0, token, spender, amount: 9n }
  type Succeeding = Extract<Simulation, { status: 'succeeds' }>
  const granting = (
    amount: bigint | 'all',
    more: Partial<Succeeding['grants'][number]> = {},
  ): Succeeding => ({
    status: 'succeeds',
    changes: [],
    grants: [{ token: read, spender, amount, ...more }],
  })

  it('is the token whose simulated allowance is the amount', () => {
    expect(findLimitedToken(granting(9n), found, 9n)).toBe(read)
    expect(findLimitedToken(granting(2n ** 96n - 1n), found, maxUint256)).toBe(read)
  })

  it('is absent without a simulated allowance of that token, spender and amount', () => {
    const unproven: Simulation[] = [
      { status: 'reverts', reason: '' },
      { status: 'unknown', reason: '' },
      { status: 'succeeds', changes: [], grants: [] },
      granting(8n),
      granting('all'),
      granting(9n, { spender: other }),
      granting(9n, { token: { ...read, address: other } }),
      granting(9n, { nft: 9n }),
      { ...granting(9n), changes: [{ token: read, amount: -1n, nft: 9n }] },
    ]
    for (const simulation of unproven) expect(findLimitedToken(simulation, found, 9n)).toBeUndefined()
  })

  it('takes the allowance after the approving call of a batch, which a later call may use up', () => {
    const used: Simulation = {
      status: 'succeeds',
      changes: [{ token: read, amount: -9n }],
      grants: [],
      parts: [{ changes: [], grants: [{ token, spender, amount: 9n }] }],
    }
    expect(findLimitedToken(used, found, 9n)).toBe(read)
    expect(findLimitedToken(used, { ...found, at: 1 }, 9n)).toBeUndefined()
    expect(findLimitedToken(used, found, 8n)).toBeUndefined()
  })
})
