import type { Address } from '../../config.ts'
import type { Pool } from '../../pools/pool.ts'
import { type L1Gas, type L1Prices, toL1Gas } from '../l1Gas.ts'
import type { PoolEdge, PoolGraph } from '../market.ts'
import { emptyEntries, type PriceEntries, type PriceIndex, spotOf, writeEntry } from '../priceIndex.ts'
import type { RouteLimits } from '../routeLimits.ts'

/**
 * The market of one request: the pools of its sources between trusted tokens, and between those and the
 * tokens that the request or the chain names. Anyone can open a pool at any price, so no other token
 * connects.
 */
export type MarketView = {
  index: PriceIndex
  /** 1 per pool of the index that the request excludes; undefined if it excludes none. */
  closed: Uint8Array | undefined
  l1Gas: L1Gas
  /** Returns the usable pools of a pair, deepest first. */
  offers(sell: Address, buy: Address): readonly PoolEdge[]
  /** Returns the entries of a token, trusted or named: `from` to `until` - 1. */
  entriesOf(token: Address): TokenEntries
}

/** `closed` as in the view. */
export type TokenEntries = {
  entries: PriceEntries
  from: number
  until: number
  closed: Uint8Array | undefined
}

export type ViewTerms = L1Prices & Pick<RouteLimits, 'sources' | 'avoid' | 'unconverted'>

export function createMarketView(market: PoolGraph, terms: ViewTerms): MarketView {
  const { sources, avoid, unconverted } = terms
  const index = market.prices()
  const closed = listClosed(index, sources, avoid)
  const isUsable = ({ pool }: PoolEdge) =>
    sources.has(pool.source) && avoid?.has(pool.address) !== true && isUnconverted(pool)
  const isUnconverted = ({ tokens, isNative = false }: Pool) =>
    unconverted === undefined || isNative === unconverted.isNative || !tokens.includes(unconverted.wrapped)
  const named = new Map<Address, TokenEntries>()

  const listed = new Map<Address, Map<Address, readonly PoolEdge[]>>()

  /** Remembered: rounds list the same pairs. */
  function offers(sell: Address, buy: Address): readonly PoolEdge[] {
    const own = listed.get(sell) ?? new Map<Address, readonly PoolEdge[]>()
    const known = own.get(buy)
    if (known !== undefined) return known
    const all = market.offers(sell, buy)
    const usable = all.every(isUsable) ? all : all.filter(isUsable)
    listed.set(sell, own.set(buy, usable))
    return usable
  }

  function readEntries(token: Address): TokenEntries {
    const found = market.neighbours([token], Number.POSITIVE_INFINITY).flatMap((other) => {
      const offered = [...offers(token, other), ...offers(other, token)]
      return [...new Set(offered.map(({ pool }) => pool))].map((pool) => ({ pool, other }))
    })
    const entries = emptyEntries(found.length)
    found.forEach(({ pool, other }, i) => {
      entries.other[i] = index.places.get(other) as number
      writeEntry(entries, i, spotOf(pool, token, other), spotOf(pool, other, token))
    })
    return { entries, from: 0, until: found.length, closed: undefined }
  }

  return {
    index,
    closed,
    l1Gas: toL1Gas(terms),
    offers,
    entriesOf(token) {
      const place = index.places.get(token)
      if (place !== undefined) {
        const [from, until] = [index.first[place] as number, index.first[place + 1] as number]
        return { entries: index, from, until, closed }
      }
      const known = named.get(token) ?? readEntries(token)
      named.set(token, known)
      return known
    },
  }
}

function listClosed(
  { source, sources, poolsAt }: PriceIndex,
  open: ReadonlySet<string>,
  avoid: ReadonlySet<Address> = new Set(),
): Uint8Array | undefined {
  const isShut = sources.map((id) => !open.has(id))
  const avoided = poolsAt(avoid)
  if (avoided.length === 0 && !isShut.includes(true)) return undefined
  const closed = Uint8Array.from(source, (id) => Number(isShut[id]))
  for (const pool of avoided) closed[pool] = 1
  return closed
}
