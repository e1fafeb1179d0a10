import { type Anchors, buysFrom, type Labels, sellsTo } from './labels.ts'
import type { MarketView, TokenEntries } from './marketView.ts'
import { sumDescending } from './sumDescending.ts'

export type DirectGain = { place: number; price: number; gain: number }

/** A pool between a token and an anchor with a price, which sells the token or buys it. */
type Trade = { start: number; depth: number; price: number; isPurchase: boolean }

/** Prices tried between the cheapest purchase and the dearest sale. */
const steps = 6

/**
 * Returns the tokens that one anchor sells for less than another buys them for, with the price at which the
 * pools on both sides gain least, and that gain: about what the token can bring.
 */
export function findDirect(
  view: MarketView,
  anchors: Anchors,
  cheapest: Labels,
  dearest: Labels,
): DirectGain[] {
  const named = listNamed(view, anchors)
  const found: DirectGain[] = []
  for (let place = 0; place < cheapest.price.length; place++) {
    const [low, high] = [cheapest.price[place] as number, dearest.price[place] as number]
    if (!(low < high) || cheapest.anchor[place] !== -1) continue
    const trades = tradesOf(view, anchors, cheapest, place, low, high)
    const more = named.get(place)
    found.push({ place, ...leastGain(more === undefined ? trades : [...trades, ...more], low, high) })
  }
  return found
}

function leastGain(trades: readonly Trade[], low: number, high: number): { price: number; gain: number } {
  let best = { price: low, gain: Number.POSITIVE_INFINITY }
  for (let step = 0; step <= steps; step++) {
    const price = low * (high / low) ** (step / steps)
    const gain = sumDescending(trades.map((trade) => tradeGain(trade, price)))
    if (gain < best.gain) best = { price, gain }
  }
  return best
}

function tradeGain({ start, depth, price, isPurchase }: Trade, own: number): number {
  return isPurchase ? estimateGain(start, depth, price, own) : estimateGain(start, depth, own, price)
}

/** Exact for a constant product (v2 whitepaper, 3.2.1, with the fee in the start price). */
export function estimateGain(start: number, depth: number, paid: number, got: number): number {
  return paid < start * got ? got * depth * (1 - Math.sqrt(paid / (start * got))) ** 2 : 0
}

/** Only trades that gain at some price between `low` and `high`. */
function tradesOf(
  { index, closed }: MarketView,
  anchors: Anchors,
  { anchor }: Labels,
  place: number,
  low: number,
  high: number,
): Trade[] {
  const { first, other, pool, sellStart, sellDepth, buyStart, buyDepth } = index
  const trades: Trade[] = []
  const until = first[place + 1] as number
  for (let i = first[place] as number; i < until; i++) {
    const own = anchor[other[i] as number] as number
    const price = own === -1 ? 0 : (anchors.prices[own] as number)
    if (!(price > 0) || closed?.[pool[i] as number] === 1) continue
    const start = sellStart[i] as number
    if (low < start * price && buysFrom(anchors, own)) {
      trades.push({ start, depth: sellDepth[i] as number, price, isPurchase: false })
    }
    const buyAt = buyStart[i] as number
    if (price < buyAt * high && sellsTo(anchors, own)) {
      trades.push({ start: buyAt, depth: buyDepth[i] as number, price, isPurchase: true })
    }
  }
  return trades
}

/** Trades with anchors outside the index, by token. */
function listNamed(view: MarketView, anchors: Anchors): Map<number, Trade[]> {
  const named = new Map<number, Trade[]>()
  anchors.tokens.forEach((token, i) => {
    const price = anchors.prices[i] as number
    if (view.index.places.has(token) || !(price > 0)) return
    const range = view.entriesOf(token)
    for (let entry = range.from; entry < range.until; entry++) {
      const place = range.entries.other[entry] as number
      named.set(place, [...(named.get(place) ?? []), ...namedTrades(range, entry, price, anchors, i)])
    }
  })
  return named
}

function namedTrades(
  { entries }: TokenEntries,
  i: number,
  price: number,
  anchors: Anchors,
  own: number,
): Trade[] {
  const [start, depth] = [entries.sellStart[i] as number, entries.sellDepth[i] as number]
  const [buyStart, buyDepth] = [entries.buyStart[i] as number, entries.buyDepth[i] as number]
  return [
    ...(start > 0 && sellsTo(anchors, own) ? [{ start, depth, price, isPurchase: true }] : []),
    ...(buyStart > 0 && buysFrom(anchors, own)
      ? [{ start: buyStart, depth: buyDepth, price, isPurchase: false }]
      : []),
  ]
}
