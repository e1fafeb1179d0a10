import { WalletError } from '../../errors.ts'
import type { Call } from '../activity/callBatch.ts'
import type { Simulation } from '../activity/simulation.ts'
import type { DecodedCall } from '../calldata/decodedCall.ts'
import { describeCall } from '../calldata/describeCall.ts'
import { isUnlimited, maxUint256 } from '../token/amount.ts'
import type { Address, Hex, Token } from '../token/token.ts'
import type { Approval } from './approval.ts'

/** Approval whose amount the user may change. */
export type EditableApproval = {
  /** Index of the call. */
  at: number
  token: Address
  spender: Address
  amount: bigint
}

type Approve = Extract<DecodedCall, { kind: 'approve' }>

/**
 * Returns the only approval among `calls`. Undefined for revocations; for several approvals, as one limit
 * would not say which; for `increaseAllowance`, whose amount is added to the allowance; and for Permit2's
 * approvals, which no simulation reads. An ERC-721 approval reads the same: see `findLimitedToken`.
 */
export function findEditableApproval(calls: Call[], on: Place): EditableApproval | undefined {
  const found = calls.flatMap((call, at) => {
    const words = read(call, on)
    return words === undefined ? [] : [{ at, words }]
  })
  const [only] = found
  if (only === undefined || found.length > 1) return undefined
  const { token, spender, amount, adds, until } = only.words
  return adds || until !== undefined ? undefined : { at: only.at, token, spender, amount }
}

/**
 * Replaces the amount of the only approval. Throws `invalid-input` without one, and unless the new call reads
 * as the old one but for its amount.
 */
export function limitSpending(calls: Call[], limit: bigint, on: Place): Call[] {
  const found = findEditableApproval(calls, on)
  if (found === undefined) throw new WalletError('invalid-input', 'This request has no spending limit.')
  if (limit < 1n || limit > maxUint256) {
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

/**
 * Returns the token, as read from its contract, if the simulation grants exactly `amount` to the spender
 * right after the approving call. Later calls may use the allowance up.
 */
export function findLimitedToken(
  simulation: Simulation,
  { at, token, spender }: EditableApproval,
  amount: bigint,
): Token | undefined {
  if (simulation.status !== 'succeeds' || grantsItem(simulation, token)) return undefined
  const { changes, grants, parts = [] } = simulation
  const afterwards = parts[at]?.grants ?? grants.map((one) => ({ ...one, token: one.token.address }))
  const isGranted = afterwards.some(
    (one) =>
      one.token === token &&
      one.spender === spender &&
      one.nft === undefined &&
      // Some tokens keep a smaller maximum.
      (one.amount === amount || (one.amount !== 'all' && isUnlimited(one.amount) && isUnlimited(amount))),
  )
  return isGranted ? [...grants, ...changes].find((one) => one.token.address === token)?.token : undefined
}

/** True if `token` is a collection, where the amount of an approval names an item. */
export function grantsItem(simulation: Simulation, token: Address | undefined): boolean {
  if (simulation.status !== 'succeeds') return false
  const { changes, grants } = simulation
  return [...changes, ...grants].some((one) => one.token.address === token && one.nft !== undefined)
}

type Place = { account: Address; chainId: number }

const wordDigits = 64

function withAmount(call: Call, amount: bigint, on: Place): Call {
  const before = read(call, on)
  // After the selector: (spender, amount).
  const start = 10 + wordDigits
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
