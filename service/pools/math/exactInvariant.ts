/** Binary digits of an exact invariant below one unit. */
export const fraction = 64n

const maxRounds = 8
/** Change at which the iteration ends, in 2^-64 units. */
const settled = 2n ** 16n

/**
 * Returns the invariant D of a stable pool without its contract's rounding, in 2^-64 units, from the rounded
 * one: Newton's method for A·n^n·ΣX + D = A·n^n·D + D^(n+1)/(n^n·ΠX) (Egorov 2019, "StableSwap").
 * Amplification is A·n^(n-1) in thousandths. Throws a RangeError if a balance is zero.
 */
export function exactInvariant(amplification: bigint, balances: readonly bigint[], rounded: bigint): bigint {
  const count = BigInt(balances.length)
  const amplified = amplification * count
  const all = ((amplified * balances.reduce((sum, balance) => sum + balance, 0n)) << fraction) / 1_000n
  let invariant = rounded << fraction
  for (let round = 0; round < maxRounds; round++) {
    let product = invariant
    for (const balance of balances) product = (product * invariant) / ((balance << fraction) * count)
    const before = invariant
    invariant =
      ((all + count * product) * before) / (((amplified - 1_000n) * before) / 1_000n + (count + 1n) * product)
    const change = invariant - before
    if (change <= settled && change >= -settled) break
  }
  return invariant
}
