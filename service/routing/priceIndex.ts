import type { Address } from '../config.ts'
import type { Pool, Spot } from '../pools/pool.ts'
import type { Curve } from '../pools/priceCurve.ts'

/**
 * Every pool between trusted tokens in flat arrays, for searches over the whole market. A token's entries are
 * `first[token]` to `first[token + 1] - 1`, one per pool and other token of it.
 */
export type PriceIndex = PriceEntries & {
  /** All trusted tokens. */
  tokens: readonly Address[]
  places: ReadonlyMap<Address, number>
  first: Int32Array
  /** Index into `sources` of each pool. */
  source: Uint8Array
  sources: readonly string[]
  /** Returns the pools with these addresses. */
  poolsAt(addresses: ReadonlySet<Address>): number[]
}

/** Per entry, where the token is sold for the other and where it is bought with the other. */
export type PriceEntries = {
  other: Int32Array
  pool: Int32Array
  sellStart: Float64Array
  sellDepth: Float64Array
  buyStart: Float64Array
  buyDepth: Float64Array
  /** Rounding of curves where the token is sold and where it is bought, not rounded down. */
  sellRounding: Float32Array
  buyRounding: Float32Array
}

export type PriceBook = {
  /** Adds a pool, or marks it as changed. */
  put(address: Address, tokens: readonly Address[], read: () => Pool): void
  /** Returns the index with all changes; its arrays are overwritten by later calls. */
  index(): PriceIndex
}

type Member = {
  address: Address
  place: number
  tokens: readonly number[]
  read: () => Pool
  /** Two per pair of its tokens: of the first, and of the second. */
  entries: readonly number[]
}

/** Creates an index that is laid out again when a pool joins, and patched when one changes. */
export function createPriceBook(trusted: ReadonlySet<Address>): PriceBook {
  const tokens = [...trusted]
  const places = new Map(tokens.map((token, i) => [token, i]))
  const members = new Map<Address, Member>()
  const changed = new Set<Member>()
  const sources: string[] = []
  let built: PriceIndex | undefined

  function layOut(): PriceIndex {
    const own = [...members.values()]
    const poolsAt = (addresses: ReadonlySet<Address>) =>
      [...addresses].flatMap((address) => members.get(address)?.place ?? [])
    const source = new Uint8Array(own.length)
    const { first, entries } = arrange(own, tokens.length)
    for (const member of own) changed.add(member)
    return { tokens, places, first, source, sources, poolsAt, ...entries }
  }

  function write(index: PriceIndex, { place, tokens, read, entries }: Member): void {
    const pool = read()
    const known = sources.indexOf(pool.source)
    index.source[place] = known < 0 ? sources.push(pool.source) - 1 : known
    pairsOf(tokens).forEach(([one, other], i) => {
      const [sold, bought] = [index.tokens[one], index.tokens[other]] as [Address, Address]
      const [sale, purchase] = [spotOf(pool, sold, bought), spotOf(pool, bought, sold)]
      writeEntry(index, entries[2 * i] as number, sale, purchase)
      writeEntry(index, entries[2 * i + 1] as number, purchase, sale)
    })
  }

  return {
    put(address, held, read) {
      const known = members.get(address)
      if (known !== undefined) {
        known.read = read
        changed.add(known)
        return
      }
      const own = held.flatMap((token) => places.get(token) ?? [])
      if (own.length < 2) return
      members.set(address, { address, place: members.size, tokens: own, read, entries: [] })
      built = undefined
    },

    index() {
      const index = built ?? layOut()
      built = index
      for (const member of changed) write(index, member)
      changed.clear()
      return index
    },
  }
}

function arrange(
  members: readonly Member[],
  tokenCount: number,
): { first: Int32Array; entries: PriceEntries } {
  const first = new Int32Array(tokenCount + 1)
  for (const { tokens } of members) {
    for (const token of tokens) first[token + 1] = (first[token + 1] as number) + tokens.length - 1
  }
  for (let i = 0; i < tokenCount; i++) first[i + 1] = (first[i + 1] as number) + (first[i] as number)
  const entries = emptyEntries(first[tokenCount] as number)
  const next = first.slice()
  const take = (token: number, other: number, pool: number) => {
    const entry = next[token] as number
    next[token] = entry + 1
    entries.other[entry] = other
    entries.pool[entry] = pool
    return entry
  }
  for (const member of members) {
    member.entries = pairsOf(member.tokens).flatMap(([one, other]) => [
      take(one, other, member.place),
      take(other, one, member.place),
    ])
  }
  return { first, entries }
}

export function emptyEntries(size: number): PriceEntries {
  const prices = () => new Float64Array(size)
  return {
    ...{ other: new Int32Array(size), pool: new Int32Array(size) },
    ...{ sellStart: prices(), sellDepth: prices(), buyStart: prices(), buyDepth: prices() },
    ...{ sellRounding: new Float32Array(size), buyRounding: new Float32Array(size) },
  }
}

/** A pair's spot with its rounding as single-precision indexes hold it. */
type IndexedSpot = Required<Spot>

export function writeEntry(
  entries: PriceEntries,
  entry: number,
  sale: IndexedSpot,
  purchase: IndexedSpot,
): void {
  entries.sellStart[entry] = sale.start
  entries.sellDepth[entry] = sale.depth
  entries.buyStart[entry] = purchase.start
  entries.buyDepth[entry] = purchase.depth
  entries.sellRounding[entry] = sale.rounding
  entries.buyRounding[entry] = purchase.rounding
}

export function spotOf(pool: Pool, sell: Address, buy: Address): IndexedSpot {
  const { start, depth, rounding = 0 } = pool.spot ? pool.spot(sell, buy) : curveSpot(pool.curve(sell, buy))
  return { start, depth, rounding: rounding === 0 ? 0 : Math.fround(rounding * aboveSingle + leastSingle) }
}

function curveSpot(curve: Curve): Spot {
  const { most, rounding = 0 } = curve
  return most > 0 ? { start: curve.slope(0), depth: most, rounding } : { start: 0, depth: 0 }
}

/** More than the error of a single-precision number. */
const aboveSingle = 1 + 2 ** -22
const leastSingle = 2 ** -149

function pairsOf(tokens: readonly number[]): (readonly [number, number])[] {
  return tokens.flatMap((one, i) => tokens.slice(i + 1).map((other) => [one, other] as const))
}
