import { isSwapIntent } from '../../domain/activity/intent.ts'
import type { ErrorDetails, WalletError } from '../../errors.ts'
import { type IntentRecord, isSigned } from './journal.ts'

/** Looks in a row after which a node is believed that a transaction is gone, or would fail. */
export const maxMisses = 3

/** So long after the first failure, and no longer: what nobody waits for any more is not to be signed out of the blue. */
export const retryForMs = 10_000

/**
 * What may be different a moment later: the step is tried again for a while before the user is told. Not a service that said nothing: it had
 * as long as all the tries.
 */
export function isTransient({ code, facts }: WalletError): boolean {
  return passing.has(code) || (code === 'node-refused' && isUnreadable(facts))
}

/** An answer that made no sense: a refusal would come in the node's words. */
function isUnreadable({ status, rpcCode, isTooLong }: ErrorDetails): boolean {
  return status !== undefined && rpcCode === undefined && isTooLong === undefined
}

const passing = new Set([
  'node-unreachable',
  'node-timeout',
  'service-unreachable',
  'service-busy',
  'service-failed',
  'storage-failed',
])

/**
 * A node that lags behind an earlier step simulates without it; one behind the approval knows of no allowance, and a permit's number may be used up on the way: the first is believed,
 * and the other signed anew, once it was seen several times.
 */
export function isRetryable({ intent, steps }: IntentRecord, { code }: WalletError): boolean {
  const isSigning =
    isSwapIntent(intent) && intent.permission !== undefined && intent.permission.via !== 'approve'
  if (code === 'estimation-failed' || code === 'no-permit') return isSigning
  return (code === 'would-fail' || code === 'outcome-changed') && (isSigning || steps.some(isSigned))
}
