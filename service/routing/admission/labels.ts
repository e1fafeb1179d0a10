import type { Address } from '../../config.ts'
import type { PriceEntries } from '../priceIndex.ts'
import type { MarketView } from './marketView.ts'

/** Known prices; the sold token is first, the bought token last. A price of 0 is unknown. */
export type Anchors = {
  tokens: readonly Address[]
  prices: ArrayLike<number>
  /** False if connectors must not trade with each other: one connector per path. */
  isFree: boolean
}

/** Cheapest purchases or dearest sales of the index's tokens. Anchors keep their own prices. */
export type Labels = {
  side: Side
  price: Float64Array
  /** The token that the price comes from: of the index, or -1 - i for anchor i; `none` without a price. */
  from: Int32Array
  /** The anchor of each token that keeps its price: of all with one, and of the two ends; else -1. */
  anchor: Int32Array
  /** Value that a path should carry. */
  size: number
}

type Side = 'cheapest' | 'dearest'

const none = -1_000_000
const rounded = 1 + 1e-12

/** Only cycles of pools that pay go on for longer. */
const maxRounds = 12

/**
 * Prices tokens by one trade with an anchor. A pool's price is its mean price for `size` of value if it were
 * of constant product with its depth, so pools of less value do not count.
 */
export function labelDirectly(view: MarketView, anchors: Anchors, side: Side, size: number): Labels {
  const count = view.index.tokens.length
  const labels: Labels = {
    side,
    price: new Float64Array(count).fill(side === 'cheapest' ? Number.POSITIVE_INFINITY : 0),
    from: new Int32Array(count).fill(none),
    anchor: new Int32Array(count).fill(-1),
    size,
  }
  anchors.tokens.forEach((token, i) => {
    const place = view.index.places.get(token)
    const isEnd = i === 0 || i === anchors.tokens.length - 1
    if (place === undefined || !(isEnd || (anchors.prices[i] as number) > 0)) return
    labels.anchor[place] = i
    labels.price[place] = anchors.prices[i] as number
  })
  const extend = side === 'cheapest' ? extendCheapest : extendDearest
  const isOpen = side === 'cheapest' ? sellsTo : buysFrom
  anchors.tokens.forEach((token, i) => {
    const price = anchors.prices[i] as number
    if (!(price > 0 && isOpen(anchors, i))) return
    const { entries, from, until, closed } = view.entriesOf(token)
    extend(labels, entries, from, until, closed, price, -1 - i, view, anchors)
  })
  return labels
}

/** Continues the labels through other tokens (Bellman-Ford). */
export function labelFurther(view: MarketView, anchors: Anchors, labels: Labels): void {
  if (!anchors.isFree) return
  const { price, from, anchor } = labels
  const { index, closed } = view
  const extend = labels.side === 'cheapest' ? extendCheapest : extendDearest
  const before = new Float64Array(price.length)
  const tokens = new Int32Array(price.length)
  let count = 0
  for (let i = 0; i < price.length; i++) if (anchor[i] === -1 && from[i] !== none) tokens[count++] = i
  for (let round = 0; count > 0 && round < maxRounds; round++) {
    // All from the prices of the last round, so that the order of tokens does not matter.
    before.set(price)
    for (let i = 0; i < count; i++) {
      const token = tokens[i] as number
      const [begin, until] = [index.first[token] as number, index.first[token + 1] as number]
      extend(labels, index, begin, until, closed, before[token] as number, token, view, anchors)
    }
    count = 0
    for (let i = 0; i < price.length; i++) if (price[i] !== before[i]) tokens[count++] = i
  }
}

function extendCheapest(
  { price, from, anchor, size }: Labels,
  { other, sellStart, sellDepth, pool }: PriceEntries,
  begin: number,
  until: number,
  closed: Uint8Array | undefined,
  paid: number,
  origin: number,
  view: MarketView,
  anchors: Anchors,
): void {
  for (let i = begin; i < until; i++) {
    const to = other[i] as number
    const known = price[to] as number
    // Without the second term, and with room for rounding: no division.
    if (paid > known * (sellStart[i] as number) * rounded || anchor[to] !== -1) continue
    const here = paid / (sellStart[i] as number) + size / (sellDepth[i] as number)
    if (!(here <= known) || here === Number.POSITIVE_INFINITY) continue
    if (closed !== undefined && closed[pool[i] as number] === 1) continue
    if (here === known && !isBefore(view, anchors, origin, from[to] as number)) continue
    price[to] = here
    from[to] = origin
  }
}

function extendDearest(
  { price, from, anchor, size }: Labels,
  { other, buyStart, buyDepth, pool }: PriceEntries,
  begin: number,
  until: number,
  closed: Uint8Array | undefined,
  got: number,
  origin: number,
  view: MarketView,
  anchors: Anchors,
): void {
  for (let i = begin; i < until; i++) {
    const to = other[i] as number
    const known = price[to] as number
    if ((buyStart[i] as number) * got * rounded < known || anchor[to] !== -1) continue
    const here = (buyStart[i] as number) * (got - size / (buyDepth[i] as number))
    if (!(here >= known && here > 0)) continue
    if (closed !== undefined && closed[pool[i] as number] === 1) continue
    if (here === known && !isBefore(view, anchors, origin, from[to] as number)) continue
    price[to] = here
    from[to] = origin
  }
}

/** Among equal prices the lower address decides, not the order of pools. */
function isBefore({ index }: MarketView, { tokens }: Anchors, one: number, other: number): boolean {
  const addressOf = (origin: number) => (origin < 0 ? tokens[-1 - origin] : index.tokens[origin]) as Address
  return addressOf(one) < addressOf(other)
}

/** True if a path may go from this anchor to other tokens. */
export function sellsTo({ tokens, isFree }: Anchors, anchor: number): boolean {
  return isFree ? anchor < tokens.length - 1 : anchor === 0
}

/** True if a path may come to this anchor from other tokens. */
export function buysFrom({ tokens, isFree }: Anchors, anchor: number): boolean {
  return isFree ? anchor > 0 : anchor === tokens.length - 1
}

/** Returns a token and those on its path from or to the anchors. */
export function trace({ from }: Labels, place: number): number[] {
  const path: number[] = []
  for (let at = place; at >= 0 && !path.includes(at); at = from[at] as number) path.push(at)
  return path
}
