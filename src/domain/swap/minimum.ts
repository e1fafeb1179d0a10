import type { SwapIntent } from './swap.ts'

type Terms = Pick<SwapIntent, 'floor' | 'trade' | 'allowPartialFill'>

/** Returns the minimum for `spent`, pro rata for a partial fill, rounded up. */
export function minReturnFor({ floor, trade, allowPartialFill }: Terms, spent: bigint): bigint {
  if (!allowPartialFill || spent >= trade.amount) return floor
  return (floor * spent + trade.amount - 1n) / trade.amount
}

export function meetsMinimum(terms: Terms, received: bigint, spent: bigint): boolean {
  return received > 0n && received >= minReturnFor(terms, spent)
}
