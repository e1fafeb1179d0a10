import { getKept } from '../swap/kept.ts'
import type { Swap } from '../swap/swap.ts'
import { toUsd } from '../value/price.ts'
import { activityKind, isUnknown } from './activity.ts'

export type SwapHistory = {
  /** Swaps that paid out. */
  done: number
  /** Those with a known amount, and those of them that paid their minimum. */
  judged: number
  kept: number
  /** US dollars with eight decimals, at the prices then, of `priced` of the `charged` swaps. */
  fees: { usd: bigint; priced: number; charged: number }
  /** Mean difference to the market price at the review, in basis points; absent without any. */
  market?: { bps: number; count: number }
}

/** Sums up swaps from their records alone. Wraps are none; failed swaps count for their fees. */
export function summarizeSwaps(all: readonly Swap[]): SwapHistory {
  const swaps = all.filter((one) => activityKind(one) === 'swap' && !isUnknown(one))
  const history: SwapHistory = { done: 0, judged: 0, kept: 0, fees: { usd: 0n, priced: 0, charged: 0 } }
  const moves: number[] = []
  for (const swap of swaps) {
    const { outcome, intent, paid } = swap
    addFee(history.fees, paid, intent)
    if (outcome.status !== 'done' && outcome.status !== 'below-minimum') continue
    history.done += 1
    if (outcome.status === 'done' && outcome.isLeast) continue
    history.judged += 1
    if (getKept(swap) !== undefined) history.kept += 1
    const market = intent.shown?.market
    const { received, spent = intent.trade.amount } = outcome
    const fair = market && intent.trade.amount > 0n ? (market * spent) / intent.trade.amount : 0n
    if (fair > 0n) moves.push(Number(((received - fair) * 1_000_000n) / fair) / 100)
  }
  if (moves.length === 0) return history
  const bps = moves.reduce((sum, each) => sum + each, 0) / moves.length
  return { ...history, market: { bps, count: moves.length } }
}

function addFee(fees: SwapHistory['fees'], paid: bigint, { shown }: Swap['intent']): void {
  if (paid === 0n) return
  fees.charged += 1
  const price = shown?.prices?.native
  if (price === undefined) return
  fees.priced += 1
  fees.usd += toUsd(paid, price)
}
