import type { PriceSizes, PriceTable } from './priceTable.ts'

/** The pools of an index as its writer knows them; each has a pair per two trusted tokens of it. */
export type PriceMembers = {
  /** Per pool. */
  ids: Uint32Array
  sources: Uint8Array
  /** First pair of each pool, and the number of pairs. */
  firstPair: Uint32Array
  /** Per pair: the places of its tokens, and where their entries are in the index. */
  one: Uint32Array
  other: Uint32Array
  oneEntry: Uint32Array
  otherEntry: Uint32Array
}

/** Pools that join, as `PriceMembers`. `prices` has as many numbers per pair as `pricesOf` returns. */
export type JoiningPools = Record<'ids' | 'sources' | 'firstPair' | 'one' | 'other' | 'prices', number[]>

export function emptyMembers(): PriceMembers {
  return createMembers(0, 0)
}

function createMembers(pools: number, pairs: number): PriceMembers {
  const perPair = () => new Uint32Array(pairs)
  return {
    ...{ ids: new Uint32Array(pools), sources: new Uint8Array(pools), firstPair: new Uint32Array(pools + 1) },
    ...{ one: perPair(), other: perPair(), oneEntry: perPair(), otherEntry: perPair() },
  }
}

export function noJoining(): JoiningPools {
  return { ids: [], sources: [], firstPair: [0], one: [], other: [], prices: [] }
}

export function sizesOf(members: PriceMembers, tokens: number, sources: number): PriceSizes {
  return { tokens, pools: members.ids.length, entries: 2 * members.one.length, sources }
}

/** Numbers per pair. */
export const pricesPerPair = 6

/** Start, depth and rounding of a pair's first token: three where it is sold, three where it is bought. */
function pricesOf(table: PriceTable, entry: number): number[] {
  const { sellStart, sellDepth, sellRounding, buyStart, buyDepth, buyRounding } = table
  const columns = [sellStart, sellDepth, sellRounding, buyStart, buyDepth, buyRounding]
  return columns.map((values) => values[entry] as number)
}

/** Returns the members without those that leave and with those that join, and the prices of all pairs. */
export function mergeMembers(
  members: PriceMembers,
  table: PriceTable,
  joining: JoiningPools,
  leaving: ReadonlySet<number>,
): { merged: PriceMembers; prices: Float64Array } {
  const parts = [members, joining]
  let [pools, pairs] = [0, 0]
  for (const part of parts) {
    for (let i = 0; i < part.ids.length; i++) {
      if (leaving.has(part.ids[i] as number)) continue
      pools++
      pairs += (part.firstPair[i + 1] as number) - (part.firstPair[i] as number)
    }
  }
  const merged = createMembers(pools, pairs)
  const prices = new Float64Array(pricesPerPair * pairs)
  let [pool, pair] = [0, 0]
  for (const part of parts) {
    for (let i = 0; i < part.ids.length; i++) {
      const id = part.ids[i] as number
      if (leaving.has(id)) continue
      merged.ids[pool] = id
      merged.sources[pool] = part.sources[i] as number
      for (let from = part.firstPair[i] as number; from < (part.firstPair[i + 1] as number); from++) {
        merged.one[pair] = part.one[from] as number
        merged.other[pair] = part.other[from] as number
        const at = pricesPerPair * from
        const own =
          part === members
            ? pricesOf(table, members.oneEntry[from] as number)
            : joining.prices.slice(at, at + pricesPerPair)
        prices.set(own, pricesPerPair * pair)
        pair++
      }
      pool++
      merged.firstPair[pool] = pair
    }
  }
  return { merged, prices }
}

/** Arranges the pairs by token, sets their entries, and writes everything but the sources' names. */
export function fillTable(table: PriceTable, members: PriceMembers, prices: Float64Array): void {
  const { one, other, oneEntry, otherEntry, firstPair } = members
  const { first, tokens, pools } = table
  first.fill(0)
  for (const side of [one, other]) {
    for (const token of side) first[token + 1] = (first[token + 1] as number) + 1
  }
  for (let i = 0; i < tokens; i++) first[i + 1] = (first[i + 1] as number) + (first[i] as number)
  const next = first.slice()
  table.ids.set(members.ids)
  table.source.set(members.sources)

  function take(token: number, otherToken: number, pool: number): number {
    const entry = next[token] as number
    next[token] = entry + 1
    table.other[entry] = otherToken
    table.pool[entry] = pool
    return entry
  }

  for (let pool = 0; pool < pools; pool++) {
    for (let pair = firstPair[pool] as number; pair < (firstPair[pool + 1] as number); pair++) {
      oneEntry[pair] = take(one[pair] as number, other[pair] as number, pool)
      otherEntry[pair] = take(other[pair] as number, one[pair] as number, pool)
      writePair(table, members, pair, prices, pricesPerPair * pair)
    }
  }
}

/** Writes the prices from `at` on to both entries of a pair. */
export function writePair(
  table: PriceTable,
  { oneEntry, otherEntry }: PriceMembers,
  pair: number,
  prices: ArrayLike<number>,
  at: number,
): void {
  const [one, other] = [oneEntry[pair] as number, otherEntry[pair] as number]
  table.sellStart[one] = table.buyStart[other] = prices[at] as number
  table.sellDepth[one] = table.buyDepth[other] = prices[at + 1] as number
  table.sellRounding[one] = table.buyRounding[other] = prices[at + 2] as number
  table.buyStart[one] = table.sellStart[other] = prices[at + 3] as number
  table.buyDepth[one] = table.sellDepth[other] = prices[at + 4] as number
  table.buyRounding[one] = table.sellRounding[other] = prices[at + 5] as number
}
