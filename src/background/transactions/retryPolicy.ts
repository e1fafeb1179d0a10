import { isSwapIntent } from '../../domain/activity/intent.ts'
import type { ErrorDetails, WalletError } from '../../errors.ts'
import { isSigned } from './journal.ts'
import type { IntentRecord } from './schemas.ts'

/** Failures before a result is believed. */
export const maxMisses = 3

/** Retry window. After it the user must confirm again. */
export const retryForMs = 10_000

/** True for errors that may pass soon. Excludes swap service timeouts, which last as long as all retries. */
export function isTransient({ code, facts }: WalletError): boolean {
  return passing.has(code) || (code === 'node-refused' && isUnreadable(facts))
}

/** A refusal carries the RPC's error. */
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

/** True if a lagging RPC or used permit nonce may be the cause. */
export function isRetryable({ intent, steps }: IntentRecord, { code }: WalletError): boolean {
  const isSigning =
    isSwapIntent(intent) && intent.permission !== undefined && intent.permission.via !== 'approve'
  if (code === 'estimation-failed' || code === 'no-permit') return isSigning
  return (code === 'would-fail' || code === 'outcome-changed') && (isSigning || steps.some(isSigned))
}
