import type { SwapTransaction } from '../../domain/swap/trade.ts'
import type { Way } from '../swap/plan.ts'
import { approvalGas, gasLimit } from './fees.ts'

/** A permit inside a swap: its signature is read, its number and the allowance are written. */
const permitGas = 75_000n

/**
 * The gas limits of the steps that a way has left, in order. `used` is what each call took when all were tried out, stand-ins
 * included; where nobody knows, what the service says of the swap counts, and what approvals need at most.
 */
export function gasLimitsOf(
  { before, standIns, toSign }: Pick<Way, 'before' | 'standIns' | 'toSign'>,
  swap: Pick<SwapTransaction, 'gas'>,
  used: readonly (bigint | undefined)[],
): bigint[] {
  const permit = toSign ? permitGas : 0n
  const seen = used[before.length + standIns.length] ?? 0n
  return [
    ...before.map((_, index) => gasLimit(used[index] ?? approvalGas)),
    gasLimit(swap.gas + permit, seen + permit),
  ]
}
