/** Sums so that the result does not depend on the order of pools. */
export function sumDescending(amounts: readonly number[]): number {
  return amounts.toSorted((a, b) => b - a).reduce((sum, amount) => sum + amount, 0)
}
