import type { ErrorCode } from '../../../errors.ts'
import type { Call } from '../../activity/callBatch.ts'
import type { Simulation } from '../../activity/simulation.ts'
import type { Risk } from './risk.ts'

/**
 * Returns the risk of calls without a successful simulation, unless they only send native tokens to accounts
 * without code. A contract may fail only in simulation.
 */
export function uncheckedRisks(calls: Call[], simulation?: Simulation, isPlain = false): Risk[] {
  if (simulation?.status === 'succeeds' || isPlain) return []
  if (simulation?.status === 'reverts') {
    return [{ kind: 'fails', value: calls.reduce((sum, { value }) => sum + value, 0n), isGrave: true }]
  }
  // Covered by `unseen`.
  if (simulation?.isCrowded) return []
  return [{ kind: 'unchecked', isGrave: true }]
}

const refusals: ReadonlySet<ErrorCode> = new Set(['fee-too-high', 'unsafe-transaction', 'wrong-chain'])

/** True for the wallet's own rejection; other errors leave calls unchecked. */
export function isRejection(code: ErrorCode): boolean {
  return refusals.has(code)
}
