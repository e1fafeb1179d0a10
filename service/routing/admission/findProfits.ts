import type { Address } from '../../config.ts'
import { profitBound } from '../optimizer/dual.ts'
import { type Anchors, buysFrom, sellsTo } from './labels.ts'
import type { MarketView, TokenEntries } from './marketView.ts'

/** Profit of a pair's pools in one direction; places below 0 are anchors. */
export type PairProfit = { from: number; to: number; profit: number }

/**
 * Returns the pairs that profit at the anchors' and the other tokens' prices, without pairs of anchors.
 * `anchor` and `prices` are per token of the index; an infinite price is that of a token which cannot be
 * bought.
 */
export function findProfits(
  view: MarketView,
  anchors: Anchors,
  anchor: Int32Array,
  prices: Float64Array,
): PairProfit[] {
  const { index } = view
  const { tokens } = index
  const found = new Map<number, PairProfit>()
  const size = tokens.length + anchors.tokens.length
  anchors.tokens.forEach((token, i) => {
    const price = anchors.prices[i] as number
    if (!(price > 0)) return
    if (sellsTo(anchors, i)) sell(view.entriesOf(token), token, -1 - i, price)
    if (buysFrom(anchors, i)) buy(view.entriesOf(token), token, -1 - i, price)
  })
  if (!anchors.isFree) return [...found.values()]
  for (let place = 0; place < tokens.length; place++) {
    const price = prices[place] as number
    if (anchor[place] !== -1 || !(price > 0 && price < Number.POSITIVE_INFINITY)) continue
    const range = { from: index.first[place] as number, until: index.first[place + 1] as number }
    sell({ entries: index, ...range, closed: view.closed }, tokens[place] as Address, place, price)
  }
  return [...found.values()]

  function sell(
    { entries, from: begin, until, closed }: TokenEntries,
    token: Address,
    from: number,
    paid: number,
  ) {
    const { other, sellStart, pool } = entries
    for (let i = begin; i < until; i++) {
      const to = other[i] as number
      const got = prices[to] as number
      if (!((sellStart[i] as number) * got > paid) || anchor[to] !== -1) continue
      if (closed?.[pool[i] as number] !== 1) add(from, to, token, tokens[to] as Address, paid, got)
    }
  }

  function buy(
    { entries, from: begin, until, closed }: TokenEntries,
    token: Address,
    to: number,
    got: number,
  ) {
    const { other, buyStart, pool } = entries
    for (let i = begin; i < until; i++) {
      const from = other[i] as number
      const paid = prices[from] as number
      if (!((buyStart[i] as number) * got > paid) || anchor[from] !== -1) continue
      if (closed?.[pool[i] as number] !== 1) add(from, to, tokens[from] as Address, token, paid, got)
    }
  }

  /** All pools of a pair at once. */
  function add(from: number, to: number, sold: Address, bought: Address, paid: number, got: number): void {
    const pair = (from + size) * 2 * size + to + size
    if (found.has(pair)) return
    const profit = view.offers(sold, bought).reduce((sum, offer) => sum + profitBound(offer, paid, got), 0)
    found.set(pair, { from, to, profit })
  }
}

/** Sums so that the result does not depend on the order of pools. */
export function sumDescending(amounts: readonly number[]): number {
  return amounts.toSorted((a, b) => b - a).reduce((sum, amount) => sum + amount, 0)
}
