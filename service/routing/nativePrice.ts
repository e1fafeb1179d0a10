import type { Address } from '../config.ts'
import type { RoutingInput } from './candidates.ts'
import type { PoolGraph } from './market.ts'
import type { PriceIndex } from './priceIndex.ts'

/**
 * Returns one wei in base units of `token`; 0 if unknown. Where no pool and no connector leads to the token,
 * its neighbours' prices are tried, then theirs.
 */
export function nativePrice(market: PoolGraph, ground: RoutingInput, token: Address): number {
  const known = new Set([token])
  let ring = new Map([[token, 1]])
  for (let hop = 0; hop <= maxFurther; hop++) {
    const prices = [...ring].map(([near, worth]) => nearPrice(market, ground, near) * worth)
    const most = Math.max(0, ...prices)
    if (most > 0) return most
    ring = widen(market, ring, known)
  }
  return 0
}

/** Returns the unknown neighbours of a ring of tokens, in base units of the first. */
function widen(market: PoolGraph, ring: ReadonlyMap<Address, number>, known: Set<Address>) {
  const wider = new Map<Address, number>()
  for (const [near, worth] of ring) {
    for (const other of market.neighbours([near], maxThrough)) {
      if (known.has(other)) continue
      wider.set(other, Math.max(wider.get(other) ?? 0, worth * spotPrice(market, other, near)))
    }
  }
  for (const token of wider.keys()) known.add(token)
  return wider
}

function nearPrice(market: PoolGraph, { wrapped, connectors }: RoutingInput, token: Address): number {
  if (token === wrapped) return 1
  const index = market.prices()
  const [home, place] = [index.places.get(wrapped), index.places.get(token)]
  if (home !== undefined && place !== undefined) {
    const named = connectors.flatMap((connector) => index.places.get(connector) ?? [])
    return indexedPrice(index, home, place, named)
  }
  const through = [...connectors, ...market.neighbours([wrapped, token], maxThrough)]
  const prices = [
    bought(market, wrapped, token, probe),
    ...through.map((next) => bought(market, next, token, bought(market, wrapped, next, probe))),
  ]
  return Math.max(...prices) / probe
}

/** Too little to move a price. */
const probe = 1e16
const maxThrough = 8
/** Hops beyond the two that are tried first. */
const maxFurther = 3

function bought(market: PoolGraph, sell: Address, buy: Address, amount: number): number {
  return market.offers(sell, buy).reduce((most, { curve }) => Math.max(most, curve.bought(amount)), 0)
}

function spotPrice(market: PoolGraph, sell: Address, buy: Address): number {
  return market.offers(sell, buy).reduce((most, { start }) => Math.max(most, start), 0)
}

function indexedPrice(index: PriceIndex, home: number, token: number, named: readonly number[]): number {
  const { first, other, sellStart, sellDepth, buyStart, buyDepth } = index
  const ends = (place: number) => [first[place] as number, first[place + 1] as number] as const
  /** Of each token for the probe. */
  const amounts = new Float64Array(index.tokens.length)
  const [begin, until] = ends(home)
  for (let i = begin; i < until; i++) {
    const to = other[i] as number
    const amount = output(sellStart[i] as number, sellDepth[i] as number, probe)
    if (amount > (amounts[to] as number)) amounts[to] = amount
  }
  const famous = listFamous(index, ends(token), amounts)
  const through = new Set([...named, ...famous])
  let most = amounts[token] as number
  const [start, end] = ends(token)
  for (let i = start; i < end; i++) {
    const from = other[i] as number
    if (!through.has(from)) continue
    most = Math.max(most, output(buyStart[i] as number, buyDepth[i] as number, amounts[from] as number))
  }
  return most / probe
}

/** Output as if of constant product (v2 whitepaper, 3.2.1). */
function output(start: number, depth: number, sold: number): number {
  const unmoved = start * sold
  return unmoved > 0 ? unmoved / (1 + unmoved / depth) : 0
}

/** Returns the tokens with most entries that trade against a token and have an amount. */
function listFamous(
  { tokens, first, other }: PriceIndex,
  [begin, until]: readonly [number, number],
  amounts: Float64Array,
): number[] {
  const countOf = (place: number) => (first[place + 1] as number) - (first[place] as number)
  const isBefore = (one: number, two: number) =>
    countOf(one) > countOf(two) ||
    (countOf(one) === countOf(two) && (tokens[one] as Address) < (tokens[two] as Address))
  const found: number[] = []
  for (let i = begin; i < until; i++) {
    const next = other[i] as number
    if (!((amounts[next] as number) > 0) || found.includes(next)) continue
    const last = found[maxThrough - 1]
    if (last !== undefined && isBefore(last, next)) continue
    const place = found.findIndex((known) => isBefore(next, known))
    found.splice(place < 0 ? found.length : place, 0, next)
    if (found.length > maxThrough) found.pop()
  }
  return found
}
