import type { ReviewedAmounts } from './swap.ts'

/**
 * Amounts in base units of the bought token: `worth` minus all other lines is exactly `left`. Unknown lines
 * are absent, also from `worth`.
 */
export type CostBreakdown = {
  /** At the mid price. */
  worth: bigint
  impact?: bigint
  fee: bigint
  /** Shortfall against the expected return; absent beforehand. */
  slippage?: bigint
  networkFee?: bigint
  left: bigint
}

type Before = {
  returns: bigint
  /** Without the partner fee; negative counts as 0. */
  impactBps?: number | undefined
  feeBps?: number | undefined
  networkFeeWorth?: bigint | undefined
}

/** Returns the breakdown before signing. */
export function costBreakdown({ returns, impactBps, feeBps = 0, networkFeeWorth }: Before): CostBreakdown {
  const paidOut = before(returns, feeBps)
  const worth = before(paidOut, impactBps ?? 0)
  return {
    worth,
    ...(impactBps === undefined ? {} : { impact: worth - paidOut }),
    fee: paidOut - returns,
    ...(networkFeeWorth === undefined ? {} : { networkFee: networkFeeWorth }),
    left: returns - (networkFeeWorth ?? 0n),
  }
}

type After = {
  received: bigint
  /** Network fees in wei. */
  paid: bigint
  sold: { part: bigint; whole: bigint }
  feeBps?: number | undefined
}

/** Returns the breakdown after execution, with slippage and the fee paid. */
export function finalCostBreakdown(
  shown: ReviewedAmounts,
  { received, paid, sold, feeBps }: After,
): CostBreakdown {
  const { networkFee, networkFeeWorth, impactBps } = shown
  const returns = expectedReturn(shown.returns, sold)
  const paidWorth =
    networkFeeWorth === undefined || networkFee === 0n ? undefined : (networkFeeWorth * paid) / networkFee
  const sum = costBreakdown({ returns, impactBps, feeBps, networkFeeWorth: paidWorth })
  return { ...sum, slippage: returns - received, left: received - (paidWorth ?? 0n) }
}

/** Scales to the sold part. */
export function expectedReturn(returns: bigint, { part, whole }: After['sold']): bigint {
  return whole === 0n ? returns : (returns * part) / whole
}

/** Returns basis points of the expected return, to the hundredth; negative is against the user. */
export function priceMoveBps(expected: bigint, received: bigint): number {
  return expected === 0n ? 0 : Number(((received - expected) * 1_000_000n) / expected) / 100
}

const whole = 10_000

/** Smallest amount that leaves `amount` after `bps`. */
function before(amount: bigint, bps: number): bigint {
  const left = BigInt(whole - Math.min(Math.max(Math.round(bps), 0), whole - 1))
  return (amount * BigInt(whole) + left - 1n) / left
}
