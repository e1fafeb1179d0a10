import { expect, it } from 'vitest'
import type { DecodedCall, DecodedTokenCall } from '../../../../src/domain/calldata/decodedCall.ts'
import { type Address, nativeTokenAddress } from '../../../../src/domain/token/token.ts'
import { statedEffects, toStandIn } from '../../../../src/ui/approvals/send/statedEffects.ts'

const account: Address = `0x${'aa'.repeat(20)}`
const other: Address = `0x${'bb'.repeat(20)}`
const token: Address = `0x${'cc'.repeat(20)}`
const bought: Address = `0x${'dd'.repeat(20)}`
const known = { ...toStandIn(token), symbol: 'USDC', decimals: 6 }

/** Changes and allowances of one call or several, each as "token amount". */
function stated(...calls: DecodedTokenCall[]) {
  const words = calls.map((call): DecodedCall => ({ ...call, warnings: [] }))
  const { changes, grants } = statedEffects(words, account, (one) => (one === token ? known : undefined))
  return {
    changes: changes.map(({ token: { address }, amount }) => `${address} ${amount}`),
    grants: grants.map(({ spender, amount }) => `${spender} ${amount}`),
  }
}

it('names what leaves with a transfer of the account, and nothing of another owner', () => {
  const transfer = { kind: 'transfer', token, to: other, amount: 5n } as const
  expect(stated(transfer)).toEqual({ changes: [`${token} -5`], grants: [] })
  expect(stated(transfer, { ...transfer, from: account }).changes).toEqual([`${token} -10`])
  expect(stated({ ...transfer, from: other }).changes).toEqual([])
})

it('names both sides of a swap, the bought one only if it comes to the account', () => {
  const swap = {
    kind: 'swap',
    router: other,
    sell: token,
    buy: bought,
    amount: 7n,
    floor: 0n,
    receiver: account,
    value: 0n,
  } as const
  expect(stated(swap).changes).toEqual([`${token} -7`, `${bought} 1`])
  expect(stated({ ...swap, receiver: other }).changes).toEqual([`${token} -7`])
})

it('names allowances that are given, without revoked ones and those of Permit2', () => {
  const approve = { kind: 'approve', token, spender: other, amount: 9n } as const
  expect(stated(approve)).toEqual({ changes: [], grants: [`${other} 9`] })
  expect(stated(approve, { ...approve, amount: 0n }).grants).toEqual([])
  expect(stated({ ...approve, until: 1_900_000_000n }).grants).toEqual([])
  const all = { kind: 'approve-all', collection: token, operator: other, approved: true } as const
  expect(stated(all).grants).toEqual([`${other} all`])
})

it('names the native tokens that a wrap or an unknown call takes', () => {
  expect(stated({ kind: 'wrap', token, amount: 3n }).changes).toEqual([
    `${nativeTokenAddress} -3`,
    `${token} 3`,
  ])
  const call = { kind: 'unknown', to: other, selector: '0x12345678', bytes: 4, value: 2n } as const
  expect(stated(call).changes).toEqual([`${nativeTokenAddress} -2`])
  expect(stated({ ...call, value: 0n }).changes).toEqual([])
})
