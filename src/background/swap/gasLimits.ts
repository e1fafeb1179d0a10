import { larger } from '../../domain/bounds.ts'
import type { SwapTransaction } from '../../domain/swap/quote.ts'
import { approvalGas, callGasLimit } from '../fees/fees.ts'
import type { ApprovalPlan } from './approvalPlan.ts'

/** Gas of a permit inside a swap: its signature is read, its nonce and the allowance are written. */
const permitGas = 75_000n

/** A swap that no node can try out yet takes at least as much gas as so many approvals. */
const approvalsPerSwap = 4n

type NodeGas = {
  /** Estimate of the first call, stand-ins included; undefined where it would fail. */
  first: bigint | undefined
  /** Gas of each call when all were simulated, stand-ins included; empty where the node cannot. */
  used: readonly bigint[]
  /** Gas of a block. */
  most: bigint
}

/**
 * Returns the gas limits of the steps that a way has left, in order. The node's word counts: the one of the service is taken only for a
 * swap that the node can neither simulate nor estimate yet. Throws `unsafe-transaction` for more gas than a block has.
 */
export function stepGasLimits(
  { before, standIns, toSign }: Pick<ApprovalPlan, 'before' | 'standIns' | 'toSign'>,
  swap: Pick<SwapTransaction, 'gas'>,
  { first, used, most }: NodeGas,
): bigint[] {
  const gasAt = (index: number) =>
    index === 0 && first !== undefined ? first : toEstimate(used[index], first, used[0])
  const unknownSwap = larger(swap.gas, approvalsPerSwap * (first ?? 0n))
  const standIn = gasAt(before.length) ?? first ?? 0n
  const permit = toSign ? larger(permitGas, (standIn * 3n) / 2n) : 0n
  return [
    ...before.map((_, index) => callGasLimit(gasAt(index) ?? larger(approvalGas, 2n * (first ?? 0n)), most)),
    callGasLimit((gasAt(before.length + standIns.length) ?? unknownSwap) + permit, most),
  ]
}

/**
 * Converts simulated gas to what the node will estimate, which is what a call needs before a fifth of it is given back (EIP-3529). Chains
 * that add the price of L1 data to estimates, or count them in a unit of their own, may simulate in plain EVM gas; then the first call
 * shows by how much.
 */
function toEstimate(used: bigint | undefined, first = 0n, usedFirst = 0n): bigint | undefined {
  if (used === undefined) return undefined
  const needed = (used * 5n) / 4n
  return usedFirst > 0n && first >= 2n * usedFirst ? (needed * first) / usedFirst : needed
}
