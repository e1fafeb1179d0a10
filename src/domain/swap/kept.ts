import { expectedReturn } from './costBreakdown.ts'
import { minReturnFor } from './minimum.ts'
import type { Swap } from './swap.ts'

/** Amounts of a swap that paid out, in base units of the bought token. */
export type Kept = {
  minimum: bigint
  /** Absent in old records. */
  expected?: bigint
  received: bigint
  /** Above the minimum. */
  more: bigint
  /** `more` as a share of the minimum, in basis points to the hundredth. */
  moreBps: number
}

/** Undefined if the swap did not pay its minimum, or an unknown amount, for wraps, and without a minimum. */
export function getKept({ intent, outcome, steps }: Swap): Kept | undefined {
  if (outcome.status !== 'done' || outcome.isLeast) return undefined
  if (steps.some(({ kind }) => kind === 'wrap' || kind === 'unwrap')) return undefined
  const { received, spent = intent.trade.amount } = outcome
  const minimum = minReturnFor(intent, spent)
  if (minimum <= 0n || received < minimum) return undefined
  const { shown, trade } = intent
  const more = received - minimum
  return {
    minimum,
    ...(shown && { expected: expectedReturn(shown.returns, { part: spent, whole: trade.amount }) }),
    received,
    more,
    moreBps: Number((more * 1_000_000n) / minimum) / 100,
  }
}

/** Positions on a scale from the minimum to the highest amount, in percent. */
export function keptScale({ minimum, expected = minimum, received }: Kept): {
  expected: number
  received: number
} {
  const highest = expected > received ? expected : received
  const span = highest - minimum
  const at = (amount: bigint) =>
    span <= 0n ? 100 : Number(((amount < minimum ? 0n : amount - minimum) * 1_000n) / span) / 10
  return { expected: at(expected), received: at(received) }
}
