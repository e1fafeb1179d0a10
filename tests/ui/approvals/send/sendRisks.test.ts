import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem'
import { expect, it } from 'vitest'
import { describeCall } from '../../../../src/domain/calldata/describeCall.ts'
import type { Risk } from '../../../../src/domain/dapp/risks/risk.ts'
import type { Address } from '../../../../src/domain/token/token.ts'
import { toRisks, withoutChosen } from '../../../../src/ui/approvals/send/sendRisks.ts'

const account: Address = `0x${'aa'.repeat(20)}`
const token: Address = `0x${'cc'.repeat(20)}`
const spender: Address = `0x${'bb'.repeat(20)}`
const known = { account, chainId: 31337, routers: [], wrapped: [] }

/** Kinds of the risks shown until simulated. */
function awaited(amount: bigint) {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] })
  const call = { to: token, data, value: 0n }
  return toRisks({ status: 'idle' }, [call], [describeCall(call, known)], known, [])
}

it('names an unlimited approval before it is simulated, as it is above any balance', () => {
  expect(awaited(maxUint256)).toContainEqual({
    kind: 'beyond-balance',
    token,
    spender,
    balance: 0n,
    isHidden: false,
    isGrave: true,
  })
})

it('does not guess before the simulation if another amount is above the balance', () => {
  expect(awaited(5n).map(({ kind }) => kind)).toEqual(['call'])
})

it('leaves out the note on an allowance that the user chose, but no grave or hidden one, and no other', () => {
  const note: Risk = { kind: 'beyond-balance', token, spender, balance: 1n, isHidden: false, isGrave: false }
  const kept: Risk[] = [
    { ...note, isGrave: true },
    { ...note, isHidden: true },
    { ...note, spender: account },
    { ...note, token: account },
    { kind: 'weak', isGrave: false },
  ]
  expect(withoutChosen([note, ...kept], { token, spender })).toEqual(kept)
})
