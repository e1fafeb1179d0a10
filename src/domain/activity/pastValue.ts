import { toUsd } from '../value/price.ts'
import { type ActivityEntry, isIncoming } from './incoming.ts'
import { isSwap } from './intent.ts'

/**
 * Returns an entry's value by the prices stored with it, in US dollars with eight decimals: of what was
 * received, else of what was sold. Undefined without a stored price.
 */
export function getPastValue(entry: ActivityEntry): bigint | undefined {
  if (isIncoming(entry)) return entry.price && toUsd(entry.amount, entry.price)
  if (!isSwap(entry)) {
    const { purpose, price } = entry.intent
    return price && purpose?.kind === 'transfer' ? toUsd(purpose.amount, price) : undefined
  }
  const { intent, outcome } = entry
  const { sell, buy } = intent.shown?.prices ?? {}
  const isPaid = outcome.status === 'done' || outcome.status === 'below-minimum'
  if (isPaid && buy !== undefined) return toUsd(outcome.received, buy)
  if (sell === undefined) return undefined
  return toUsd((isPaid && outcome.spent) || intent.trade.amount, sell)
}
