import type { ReviewedAmounts } from './swap.ts'

/**
 * Where a trade's worth goes, in base units of the bought token: `worth` less every other line is exactly `left`. Lines that nobody
 * could put a number to are absent, and then `worth` is without them too.
 */
export type CostBreakdown = {
  /** What was sold at the middle price. */
  worth: bigint
  /** The price impact and the pools' fees. */
  impact?: bigint
  /** The partner's fee. */
  fee: bigint
  /** By how much less arrived than was expected. Negative when more did; absent beforehand. */
  slippage?: bigint
  networkFee?: bigint
  left: bigint
}

type Before = {
  returns: bigint
  /** Without the partner's fee. Less than nothing is better than the middle price, and counts as nothing. */
  impactBps?: number | undefined
  feeBps?: number | undefined
  networkFeeWorth?: bigint | undefined
}

/** The sum as it stands before anything is signed. */
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
  /** Wei of network fees. */
  paid: bigint
  /** What was sold of what was to be. */
  sold: { part: bigint; whole: bigint }
  feeBps?: number | undefined
}

/** The same once it happened: what was promised for the part that was sold, what the price did meanwhile, and the fee that was paid. */
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

/** What was expected of the part that was sold. */
export function expectedReturn(returns: bigint, { part, whole }: After['sold']): bigint {
  return whole === 0n ? returns : (returns * part) / whole
}

/** How far the price moved, in basis points of what was expected: against the user it is negative. To the hundredth. */
export function priceMoveBps(expected: bigint, received: bigint): number {
  return expected === 0n ? 0 : Number(((received - expected) * 1_000_000n) / expected) / 100
}

const whole = 10_000

/** The least that becomes `amount` when `bps` of it are taken. */
function before(amount: bigint, bps: number): bigint {
  const left = BigInt(whole - Math.min(Math.max(Math.round(bps), 0), whole - 1))
  return (amount * BigInt(whole) + left - 1n) / left
}
