import { isUnknown, mayComeBack } from '../../../domain/activity/activity.ts'
import type { CallBatch } from '../../../domain/activity/callBatch.ts'
import type { Step, Swap } from '../../../domain/swap/swap.ts'
import type { Hex } from '../../../domain/token/token.ts'
import { type ErrorCode, WalletError } from '../../../errors.ts'

/** EIP-5792: pending, confirmed, not sent, reverted. */
export type SwapStatus = 100 | 200 | 400 | 500

type Fate = Pick<Swap | CallBatch, 'steps' | 'outcome'>

export function swapStatus({ steps, outcome }: Fate): SwapStatus {
  // A swap below its minimum counts as done: on a reported failure the page would swap again.
  if (outcome.status === 'done' || outcome.status === 'below-minimum') return 200
  // On a reported failure the page would swap again, and both could happen.
  if (outcome.status !== 'failed' || mayComeBack({ steps, outcome })) return 100
  const last = steps.at(-1)
  return last !== undefined && !isBefore(last) && last.state === 'reverted' ? 500 : 400
}

/** Returns the signed hashes, without cancellations. */
export function getHashes({ steps }: Fate): Hex[] {
  return steps.flatMap(({ hash, state }) => (hash === undefined || state === 'cancelled' ? [] : [hash]))
}

/** Throws if the outcome is unknown: on a reported failure the page would swap again. */
export function requireKnown(id: string, one: Swap | CallBatch): void {
  if (!isUnknown(one)) return
  throw new WalletError('record-damaged', 'What the wallet kept of it was damaged. It may have been sent.', {
    id,
  })
}

/** Returns the error for the page, without balances. */
export function notSentReason(id: string, swap: Fate): WalletError {
  const code = swap.outcome.status === 'failed' ? swap.outcome.code : 'internal'
  if (nodeTrouble.has(code)) return new WalletError(code, 'The network’s node could not be asked.')
  const reason = getReason(code, swap)
  const sentence = reason === 'allowanceFailed' ? sentences[reason] : (details[code] ?? sentences[reason])
  return new WalletError('not-sent', `The swap was approved, but not made: ${sentence}.`, {
    id,
    reason,
    transactions: getHashes(swap).join(','),
  })
}

const sentences = {
  noRoute: 'there is no route for it any more',
  insufficientFunds: 'the account does not hold enough',
  allowanceFailed: 'the token was not approved',
  belowMinimum: 'what was accepted is not to be had any more',
  serviceUnavailable: 'the wallet could not prepare it',
  replaced: 'its transaction is not on the chain',
}

/** More specific than the reason. */
const details: Partial<Record<ErrorCode, string>> = {
  'below-floor': 'it would have paid less than was accepted',
  'below-market': 'it would have paid far less than the market price',
  'fee-too-high': 'its network fee is above the limit of the wallet',
  'stale-review': 'it waited too long, or its network fee rose above what was accepted',
  'would-fail': 'it would fail now',
  'unexpected-change': 'it would have changed more than was accepted',
  'estimation-failed': 'it would fail now',
  replaced: 'another transaction took its place',
  cancelled: 'the user cancelled its transaction',
  dropped: 'the network has forgotten its transaction',
}

type Reason = keyof typeof sentences

const nodeTrouble = new Set<ErrorCode>(['node-unreachable', 'node-timeout', 'wrong-chain'])

const reasons: Partial<Record<ErrorCode, Reason>> = {
  'no-route': 'noRoute',
  'unknown-token': 'noRoute',
  'not-enough-balance': 'insufficientFunds',
  'not-enough-gas': 'insufficientFunds',
  'not-enough-allowance': 'allowanceFailed',
  'below-floor': 'belowMinimum',
  'below-market': 'belowMinimum',
  'unexpected-change': 'belowMinimum',
  'stale-review': 'belowMinimum',
  // Routers revert if they would pay too little.
  'estimation-failed': 'belowMinimum',
  'would-fail': 'belowMinimum',
  replaced: 'replaced',
  dropped: 'replaced',
  cancelled: 'replaced',
}

function getReason(code: ErrorCode, { steps }: Fate): Reason {
  const stuck = steps.find(({ state }) => state !== 'mined' && state !== 'final')
  const isRefused = code === 'reverted' || code === 'would-fail'
  if (isRefused && stuck !== undefined && isBefore(stuck)) return 'allowanceFailed'
  return reasons[code] ?? 'serviceUnavailable'
}

/** True for steps before the swap. */
function isBefore({ kind }: Step): boolean {
  return kind === 'reset' || kind === 'approve'
}
