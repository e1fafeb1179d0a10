import { complement, divDown, divUp, laterPowUp, mulDown, one } from './fixedPoint.ts'

/** WeightedMath._MAX_IN_RATIO, relative to the balance. */
export const maxRatio = (3n * one) / 10n

/**
 * WeightedMath.computeOutGivenExactIn (balancer-v2-monorepo: _calcOutGivenIn); all with 18 decimals. `power`
 * rounds up. Throws a RangeError where the contract reverts.
 */
export function weightedOutGivenIn(
  balanceIn: bigint,
  weightIn: bigint,
  balanceOut: bigint,
  weightOut: bigint,
  amount: bigint,
  power: (x: bigint, y: bigint) => bigint = laterPowUp,
): bigint {
  if (amount > mulDown(balanceIn, maxRatio)) throw new RangeError('More than three tenths of the balance.')
  const base = divUp(balanceIn, balanceIn + amount)
  const exponent = divDown(weightIn, weightOut)
  return mulDown(balanceOut, complement(power(base, exponent)))
}
