/** Divides `whole` in proportion to `amounts`, at least one each. */
export function divide(whole: number, amounts: readonly bigint[]): number[] {
  const total = amounts.reduce((sum, amount) => sum + amount, 0n) || 1n
  const shares = amounts.map((amount) => Math.max(1, Number((amount * BigInt(whole)) / total)))
  let left = whole - shares.reduce((sum, share) => sum + share, 0)
  while (left !== 0) {
    const largest = shares.indexOf(Math.max(...shares))
    const change = Math.max(left, -1)
    shares[largest] = (shares[largest] ?? 0) + change
    left -= change
  }
  return shares
}
