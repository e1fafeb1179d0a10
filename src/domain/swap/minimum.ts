import type { SwapIntent } from './swap.ts'

type Terms = Pick<SwapIntent, 'floor' | 'trade' | 'allowPartialFill'>

/** The minimum to be received for `spent` of the amount: that of a partial fill keeps the price, rounded up. */
export function minimumFor({ floor, trade, allowPartialFill }: Terms, spent: bigint): bigint {
  if (!allowPartialFill || spent >= trade.amount) return floor
  return (floor * spent + trade.amount - 1n) / trade.amount
}

/** Whether a swap that sold `spent` brought enough. */
export function meetsMinimum(terms: Terms, received: bigint, spent: bigint): boolean {
  return received > 0n && received >= minimumFor(terms, spent)
}
