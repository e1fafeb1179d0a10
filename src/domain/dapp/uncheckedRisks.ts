import type { ErrorCode } from '../../errors.ts'
import type { Call, Simulation } from '../activity/callBatch.ts'
import type { Risk } from './risk.ts'

/**
 * Risk of calls that no simulation shows to succeed; none where they are plain, moving the native token
 * alone to accounts without code. A failure is no promise: a contract may fail only while it is simulated.
 */
export function uncheckedRisks(calls: Call[], simulation?: Simulation, isPlain = false): Risk[] {
  if (simulation?.status === 'succeeds' || isPlain) return []
  if (simulation?.status === 'reverts') {
    return [{ kind: 'fails', value: calls.reduce((sum, { value }) => sum + value, 0n), isGrave: true }]
  }
  // The risk `unseen` tells of it.
  if (simulation?.isCrowded) return []
  return [{ kind: 'unchecked', isGrave: true }]
}

const refusals: ReadonlySet<ErrorCode> = new Set(['fee-too-high', 'unsafe-transaction', 'wrong-chain'])

/**
 * True for the wallet's own refusal of calls, at preview as at signing. Other errors leave them unchecked.
 */
export function isRejection(code: ErrorCode): boolean {
  return refusals.has(code)
}
