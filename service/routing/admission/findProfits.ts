import type { Address } from '../../config.ts'
import { profitBound } from '../optimizer/dual.ts'
import { estimateGain } from './directGains.ts'
import { type Anchors, buysFrom, sellsTo } from './labels.ts'
import type { MarketView, TokenEntries } from './marketView.ts'
import { sumDescending } from './sumDescending.ts'

/**
 * `anchor` and `prices` are per token of the index; an infinite price is that of a token which cannot be
 * bought.
 */
export type PricedMarket = {
  view: MarketView
  anchors: Anchors
  anchor: Int32Array
  prices: Float64Array
}

/** A pool that profits; places below 0 are anchors. */
type Profitable = {
  from: number
  to: number
  sold: Address
  bought: Address
  paid: number
  got: number
  start: number
  depth: number
}

/** An estimate says little of a pool whose price is this far off. */
const farOff = 1.01

/** Returns the profit of each pair that profits, without pairs of anchors. */
export function findProfits(market: PricedMarket): number[] {
  const pairs = new Map<string, number>()
  forEachProfitable(market, (pool) => {
    const pair = `${pool.from} ${pool.to}`
    if (!pairs.has(pair)) pairs.set(pair, pairProfit(market, pool))
  })
  return [...pairs.values()]
}

/** Returns what the rounding of each pool may pay beyond its curve, without pairs of anchors. */
export function findRoundings({ view, anchors, anchor, prices }: PricedMarket): number[] {
  const found: number[] = []
  const add = (worth: number) => {
    if (worth > 0 && worth < Number.POSITIVE_INFINITY) found.push(worth)
  }
  anchors.tokens.forEach((token, i) => {
    const price = anchors.prices[i] as number
    if (!(price > 0)) return
    const { entries, from, until, closed } = view.entriesOf(token)
    for (let entry = from; entry < until; entry++) {
      const other = entries.other[entry] as number
      const otherPrice = prices[other] as number
      if (anchor[other] !== -1 || !(otherPrice > 0) || closed?.[entries.pool[entry] as number] === 1) continue
      if (sellsTo(anchors, i)) add(otherPrice * (entries.sellRounding[entry] as number))
      if (buysFrom(anchors, i)) add(price * (entries.buyRounding[entry] as number))
    }
  })
  if (!anchors.isFree) return found
  const { index, closed } = view
  for (let place = 0; place < index.tokens.length; place++) {
    const price = prices[place] as number
    if (anchor[place] !== -1 || !(price > 0 && price < Number.POSITIVE_INFINITY)) continue
    for (let entry = index.first[place] as number; entry < (index.first[place + 1] as number); entry++) {
      const other = index.other[entry] as number
      const isOpen = anchor[other] === -1 && closed?.[index.pool[entry] as number] !== 1
      if (isOpen) add((prices[other] as number) * (index.sellRounding[entry] as number))
    }
  }
  return found
}

/**
 * Returns about what the pools of each token would gain, by place: as if of constant product, but computed
 * where a price is far off and the first range of the pool's liquidity may soon end.
 */
export function estimateGains(market: PricedMarket, least: number): Map<number, number> {
  const gains = new Map<number, number[]>()
  const computed = new Set<string>()
  const add = (place: number, gain: number) => {
    if (place < 0) return
    const own = gains.get(place)
    if (own === undefined) gains.set(place, [gain])
    else own.push(gain)
  }
  forEachProfitable(market, (pool) => {
    const { from, to, paid, got, start, depth } = pool
    let gain = estimateGain(start, depth, paid, got)
    if (gain < least && start * got > paid * farOff) {
      const pair = `${from} ${to}`
      if (computed.has(pair)) return
      computed.add(pair)
      gain = pairProfit(market, pool)
    }
    add(from, gain)
    add(to, gain)
  })
  return new Map([...gains].map(([place, its]) => [place, sumDescending(its)]))
}

/** All pools of a pair at once. */
function pairProfit({ view }: PricedMarket, { sold, bought, paid, got }: Profitable): number {
  return view.offers(sold, bought).reduce((sum, offer) => sum + profitBound(offer, paid, got), 0)
}

function forEachProfitable(
  { view, anchors, anchor, prices }: PricedMarket,
  visit: (pool: Profitable) => void,
): void {
  const { index } = view
  const { tokens } = index
  anchors.tokens.forEach((token, i) => {
    const price = anchors.prices[i] as number
    if (!(price > 0)) return
    if (sellsTo(anchors, i)) sell(view.entriesOf(token), token, -1 - i, price)
    if (buysFrom(anchors, i)) buy(view.entriesOf(token), token, -1 - i, price)
  })
  if (!anchors.isFree) return
  for (let place = 0; place < tokens.length; place++) {
    const price = prices[place] as number
    if (anchor[place] !== -1 || !(price > 0 && price < Number.POSITIVE_INFINITY)) continue
    const range = { from: index.first[place] as number, until: index.first[place + 1] as number }
    sell({ entries: index, ...range, closed: view.closed }, tokens[place] as Address, place, price)
  }

  function sell(
    { entries, from: begin, until, closed }: TokenEntries,
    sold: Address,
    from: number,
    paid: number,
  ) {
    const { other, sellStart, sellDepth, pool } = entries
    for (let i = begin; i < until; i++) {
      const to = other[i] as number
      const got = prices[to] as number
      const start = sellStart[i] as number
      if (!(start * got > paid) || anchor[to] !== -1) continue
      if (closed?.[pool[i] as number] === 1) continue
      const [bought, depth] = [tokens[to] as Address, sellDepth[i] as number]
      visit({ from, to, sold, bought, paid, got, start, depth })
    }
  }

  function buy(
    { entries, from: begin, until, closed }: TokenEntries,
    bought: Address,
    to: number,
    got: number,
  ) {
    const { other, buyStart, buyDepth, pool } = entries
    for (let i = begin; i < until; i++) {
      const from = other[i] as number
      const paid = prices[from] as number
      const start = buyStart[i] as number
      if (!(start * got > paid) || anchor[from] !== -1) continue
      if (closed?.[pool[i] as number] === 1) continue
      const [sold, depth] = [tokens[from] as Address, buyDepth[i] as number]
      visit({ from, to, sold, bought, paid, got, start, depth })
    }
  }
}
