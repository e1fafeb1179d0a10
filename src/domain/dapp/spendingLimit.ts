import { WalletError } from '../../errors.ts'
import type { Call } from '../activity/callBatch.ts'
import type { Simulation } from '../activity/simulation.ts'
import type { DecodedCall } from '../calldata/decodedCall.ts'
import { describeCall } from '../calldata/describeCall.ts'
import { maxUint256 } from '../token/amount.ts'
import type { Address, Hex } from '../token/token.ts'
import type { Approval } from './approval.ts'

/** Approval whose amount the user may change. `max`: of its type. */
export type EditableApproval = {
  /** Index of the call. */
  at: number
  token: Address
  spender: Address
  amount: bigint
  max: bigint
}

type Approve = Extract<DecodedCall, { kind: 'approve' }>

/**
 * Returns the only approval among `calls`. Undefined for revocations; for several approvals, as one limit
 * would not say which; and for `increaseAllowance`, whose amount is added to the allowance. An ERC-721
 * approval reads the same: the simulation tells (`grantsItem`).
 */
export function findEditableApproval(calls: Call[], on: Place): EditableApproval | undefined {
  const found = calls.flatMap((call, at) => {
    const words = read(call, on)
    return words === undefined ? [] : [{ at, words }]
  })
  const [only] = found
  if (only === undefined || found.length > 1 || only.words.adds) return undefined
  const { token, spender, amount, until } = only.words
  return { at: only.at, token, spender, amount, max: until === undefined ? maxUint256 : maxUint160 }
}

/**
 * Replaces the amount of the only approval. Throws `invalid-input` without one, and unless the new call reads
 * as the old one but for its amount.
 */
export function limitSpending(calls: Call[], limit: bigint, on: Place): Call[] {
  const found = findEditableApproval(calls, on)
  if (found === undefined) throw new WalletError('invalid-input', 'This request has no spending limit.')
  if (limit < 1n || limit > found.max) {
    throw new WalletError('invalid-input', 'The spending limit does not fit into the call.')
  }
  return calls.map((call, at) => (at === found.at ? withAmount(call, limit, on) : call))
}

/** Returns the request with its approval limited. */
export function withLimit(approval: Approval, limit: bigint | undefined): Approval {
  const { ask, chainId } = approval
  if (limit === undefined || ask.kind !== 'send') return approval
  const calls = limitSpending(ask.calls, limit, { account: ask.account, chainId })
  return { ...approval, ask: { ...ask, calls } }
}

/** True if `token` is a collection, where the amount of an approval names an item. */
export function grantsItem(simulation: Simulation, token: Address | undefined): boolean {
  if (simulation.status !== 'succeeds') return false
  const { changes, grants } = simulation
  return [...changes, ...grants].some((one) => one.token.address === token && one.nft !== undefined)
}

type Place = { account: Address; chainId: number }

const maxUint160 = 2n ** 160n - 1n
const wordDigits = 64

function withAmount(call: Call, amount: bigint, on: Place): Call {
  const before = read(call, on)
  // After the selector: (spender, amount), or (token, spender, amount, expiration) of Permit2.
  const start = 10 + (before?.until === undefined ? 1 : 2) * wordDigits
  const word = amount.toString(16).padStart(wordDigits, '0')
  const data: Hex = `0x${call.data.slice(2, start)}${word}${call.data.slice(start + wordDigits)}`
  const limited = { ...call, data }
  const after = read(limited, on)
  const isSame =
    before !== undefined &&
    after !== undefined &&
    after.amount === amount &&
    (['token', 'spender', 'adds', 'until'] as const).every((key) => after[key] === before[key])
  if (isSame) return limited
  throw new WalletError('invalid-input', 'The spending limit does not fit into the call.')
}

function read(call: Call, { account, chainId }: Place): Approve | undefined {
  const words = describeCall(call, { account, chainId, routers: [] })
  return words.kind === 'approve' && words.amount > 0n ? words : undefined
}
