/** `amount` cut after its first `digits` digits: 123456789n at 6 is 123456000n. Never more than it was. */
export function keepDigits(amount: bigint, digits: number): bigint {
  const surplus = amount.toString().length - digits
  return surplus > 0 ? amount - (amount % 10n ** BigInt(surplus)) : amount
}
