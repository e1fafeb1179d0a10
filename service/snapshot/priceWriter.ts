import type { Address } from '../config.ts'
import type { PoolSnapshot } from '../pools/poolType.ts'
import { toPool } from '../pools/registry.ts'
import { spotOf } from '../routing/priceIndex.ts'
import {
  emptyMembers,
  fillTable,
  mergeMembers,
  noJoining,
  type PriceMembers,
  pricesPerPair,
  sizesOf,
  writePair,
} from './priceMembers.ts'
import { maxSources, openPriceTable, priceWords, writePriceHead } from './priceTable.ts'
import { growWords, type SharedWords } from './sharedWords.ts'

/** Writes the price index of each version; only the writing thread has one. */
export type PriceWriter = {
  tokens: readonly Address[]
  /** Begins the next version's index in `to`; `from` has the current one, and may be the same. */
  begin(from: SharedWords, to: SharedWords): PriceDraft
}

/** The next version's index while it is written. One at a time; without effect unless published. */
export type PriceDraft = {
  /** Adds a pool or changes its prices. `sourceText` is the record offset of its source's name. */
  put(id: number, pool: PoolSnapshot, sourceText: number): void
  remove(id: number): void
  publish(): void
}

/**
 * Creates a writer of the prices between `tokens`. Changed prices are written in place; when pools join or
 * leave, all are arranged again.
 */
export function createPriceWriter(tokens: readonly Address[]): PriceWriter {
  const tokenPlaces = new Map(tokens.map((token, i) => [token, i]))
  const sourceTexts: number[] = []
  let members = emptyMembers()
  /** Index in `members` plus 1, by pool id; 0 for none. */
  let places = new Uint32Array(0)
  let layout = 0

  function sourceOf(text: number): number {
    const known = sourceTexts.indexOf(text)
    if (known >= 0) return known
    if (sourceTexts.length === maxSources) throw new RangeError(`There are more than ${maxSources} sources.`)
    return sourceTexts.push(text) - 1
  }

  function setMembers(next: PriceMembers): void {
    const last = next.ids.reduce((most, id) => Math.max(most, id), 0)
    places = last < places.length ? places.fill(0) : new Uint32Array(Math.ceil(last * 1.25) + 1)
    next.ids.forEach((id, i) => {
      places[id] = i + 1
    })
    members = next
  }

  function begin(from: SharedWords, to: SharedWords): PriceDraft {
    const sizes = sizesOf(members, tokens.length, sourceTexts.length)
    growWords(to, priceWords(sizes))
    if (from !== to) to.words.set(from.words.subarray(0, priceWords(sizes)))
    writePriceHead(to.words, layout, sizes)
    const table = openPriceTable(to.buffer)
    const joining = noJoining()
    const joiningPlaces = new Map<number, number>()
    const leaving = new Set<number>()

    function join(id: number, held: readonly Address[], prices: readonly number[], source: number): void {
      const known = joiningPlaces.get(id)
      if (known === undefined) {
        joiningPlaces.set(id, joining.ids.length)
        joining.ids.push(id)
        joining.sources.push(source)
        for (const [one, other] of pairsOf(held)) {
          joining.one.push(tokenPlaces.get(one) as number)
          joining.other.push(tokenPlaces.get(other) as number)
        }
        joining.firstPair.push(joining.one.length)
      }
      const first = pricesPerPair * (joining.firstPair[known ?? joining.ids.length - 1] as number)
      prices.forEach((price, i) => {
        joining.prices[first + i] = price
      })
    }

    return {
      put(id, snapshot, sourceText) {
        const held = snapshot.listing.tokens.filter((token) => tokenPlaces.has(token))
        if (held.length < 2) return
        leaving.delete(id)
        const prices = readPrices(snapshot, held)
        const place = places[id] ?? 0
        if (place === 0) return join(id, held, prices, sourceOf(sourceText))
        const first = members.firstPair[place - 1] as number
        for (let i = 0; i * pricesPerPair < prices.length; i++) {
          writePair(table, members, first + i, prices, i * pricesPerPair)
        }
      },

      remove(id) {
        if ((places[id] ?? 0) > 0 || joiningPlaces.has(id)) leaving.add(id)
      },

      publish() {
        if (joiningPlaces.size > 0 || leaving.size > 0) {
          const { merged, prices } = mergeMembers(members, table, joining, leaving)
          const next = sizesOf(merged, tokens.length, sourceTexts.length)
          growWords(to, priceWords(next))
          writePriceHead(to.words, layout + 1, next)
          fillTable(openPriceTable(to.buffer), merged, prices)
          layout++
          setMembers(merged)
        }
        openPriceTable(to.buffer).sourceTexts.set(sourceTexts)
      },
    }
  }

  return { tokens, begin }
}

/** Per pair: start, depth and rounding where its first token is sold, then where it is bought. */
function readPrices(snapshot: PoolSnapshot, held: readonly Address[]): number[] {
  const pool = toPool(snapshot)
  const prices: number[] = []
  for (const [one, other] of pairsOf(held)) {
    const [sale, purchase] = [spotOf(pool, one, other), spotOf(pool, other, one)]
    for (const { start, depth, rounding } of [sale, purchase]) prices.push(start, depth, rounding)
  }
  return prices
}

function pairsOf<Token>(tokens: readonly Token[]): (readonly [Token, Token])[] {
  return tokens.flatMap((one, i) => tokens.slice(i + 1).map((other) => [one, other] as const))
}
