/** Rounds `amount` down to `digits` digits: 123456789n at 6 is 123456000n. */
export function roundDownToDigits(amount: bigint, digits: number): bigint {
  const surplus = amount.toString().length - digits
  return surplus > 0 ? amount - (amount % 10n ** BigInt(surplus)) : amount
}

/** Rounds `amount` up to `digits` digits: 123456789n at 6 is 123457000n. */
export function roundUpToDigits(amount: bigint, digits: number): bigint {
  const surplus = amount.toString().length - digits
  if (surplus <= 0) return amount
  const unit = 10n ** BigInt(surplus)
  return ((amount + unit - 1n) / unit) * unit
}
