import { larger, smaller } from '../../domain/bounds.ts'
import type { SwapTransaction } from '../../domain/swap/quote.ts'
import { approvalGas, callGasLimit, expectedCallGas } from '../fees/fees.ts'
import type { ApprovalPlan } from './approvalPlan.ts'

const permitGas = 75_000n

/** Minimum gas of an unsimulated swap, in approvals. */
const approvalsPerSwap = 4n

type NodeGas = {
  /** Estimate; undefined if the call fails. */
  first: bigint | undefined
  /** Simulated gas with stand-ins; empty if unsupported. */
  used: readonly bigint[]
  most: bigint
}

/**
 * Returns the gas limits of the remaining steps by the RPC, or by the swap service if the RPC can neither
 * simulate nor estimate. Throws `unsafe-transaction`.
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

/** Returns the gas that steps with `limits` will likely use. `used`: as simulated, with stand-ins. */
export function expectedStepGas(
  { before, standIns, toSign }: Pick<ApprovalPlan, 'before' | 'standIns' | 'toSign'>,
  limits: readonly bigint[],
  used: readonly bigint[],
): bigint {
  const usedBySwap = used[before.length + standIns.length]
  return limits.reduce((sum, limit, index) => {
    if (index < before.length) return sum + expectedCallGas(limit, used[index])
    return sum + expectedCallGas(limit, usedBySwap && usedBySwap + (toSign ? permitGas : 0n))
  }, 0n)
}

/** Of a swap's route alone, without a permit: part of the gas limit, and gas it likely uses. */
export type RouteGas = { limit: bigint; used: bigint }

/**
 * Separates the route from a swap's gas limit. `used`: as simulated, without a permit; undefined: by the swap
 * service.
 */
export function computeRouteGas(
  { toSign }: Pick<ApprovalPlan, 'toSign'>,
  swap: Pick<SwapTransaction, 'gas'>,
  { limit, used }: { limit: bigint; used: bigint | undefined },
): RouteGas {
  const permit = toSign ? (permitGas * 6n) / 5n : 0n
  const ofRoute = larger(limit - permit, 0n)
  return { limit: ofRoute, used: smaller(used ?? swap.gas, ofRoute) }
}

/** Returns the gas of a swap's route, simulated with its permit. */
export function withoutPermit(
  { toSign }: Pick<ApprovalPlan, 'toSign'>,
  used: bigint | undefined,
): bigint | undefined {
  return used === undefined || !toSign ? used : larger(used - permitGas, 0n)
}

/** Returns the part of `cost.expectedFee` for the approvals before the swap. Undefined without any. */
export function approvalFee(
  { before }: Pick<ApprovalPlan, 'before'>,
  limits: readonly bigint[],
  used: readonly bigint[],
  cost: { expectedFee: bigint; expectedGas: bigint },
): bigint | undefined {
  if (before.length === 0) return undefined
  const gas = before.reduce((sum, _, index) => sum + expectedCallGas(limits[index] ?? 0n, used[index]), 0n)
  return (cost.expectedFee * gas) / larger(cost.expectedGas, 1n)
}

/**
 * Adds refunds of up to a fifth (EIP-3529). Where estimates include L1 fees or other units, the first call
 * gives the ratio.
 */
function toEstimate(used: bigint | undefined, first = 0n, usedFirst = 0n): bigint | undefined {
  if (used === undefined) return undefined
  const needed = (used * 5n) / 4n
  return usedFirst > 0n && first >= 2n * usedFirst ? (needed * first) / usedFirst : needed
}
