import type { Pool } from '../pools/pool.ts'
import type { Pair } from '../routing/market.ts'

export type KnownPair = Pair & { ids: readonly number[]; sequences: readonly number[]; checkedAt: number }

/** A pool in plain memory; `bytes` estimates what it takes there. */
type Decoded = { sequence: number; pool: Pool; bytes: number; pairs: number[]; usedIn: number }

/** Pools in plain memory, and the ranks of their pairs, by id. A pool is one object in all its pairs. */
export type DecodedPools = {
  /** Returns a pool of a pair in the state of that sequence number; `decode` makes it if it is not known. */
  pool(id: number, sequence: number, pair: number, decode: () => { pool: Pool; bytes: number }): Pool
  /** Returns a pair whose pools are all kept. */
  pair(id: number): KnownPair | undefined
  addPair(id: number, pair: KnownPair): void
  /** Returns a pool's object, if it is known. */
  peek(id: number): Pool | undefined
  bytes(): number
  /** Begins a search: drops the least recently used beyond `maxBytes`. A search compares objects. */
  beginSearch(maxBytes: number): void
}

/** Creates an LRU cache, which one search may fill beyond its maximum. */
export function createDecodedPools(): DecodedPools {
  /** In order of use. */
  const pools = new Map<number, Decoded>()
  const pairs = new Map<number, KnownPair & { usedIn?: number }>()
  let bytes = 0
  let search = 0

  function use(id: number, known: Decoded): void {
    if (known.usedIn === search) return
    known.usedIn = search
    pools.delete(id)
    pools.set(id, known)
  }

  function drop(id: number, { bytes: freed, pairs: its }: Decoded): void {
    bytes -= freed
    pools.delete(id)
    for (const pair of its) pairs.delete(pair)
  }

  return {
    pool(id, sequence, pair, decode) {
      const known = pools.get(id)
      if (known?.sequence === sequence) {
        use(id, known)
        if (!known.pairs.includes(pair)) known.pairs.push(pair)
        return known.pool
      }
      if (known !== undefined) {
        bytes -= known.bytes
        pools.delete(id)
      }
      const made = { sequence, ...decode(), pairs: [pair], usedIn: search }
      bytes += made.bytes
      pools.set(id, made)
      return made.pool
    },

    pair(id) {
      const known = pairs.get(id)
      if (known === undefined || known.usedIn === search) return known
      known.usedIn = search
      for (const pool of known.ids) {
        const decoded = pools.get(pool)
        if (decoded !== undefined) use(pool, decoded)
      }
      return known
    },

    addPair: (id, pair) => pairs.set(id, pair),
    peek: (id) => pools.get(id)?.pool,
    bytes: () => bytes,

    beginSearch(maxBytes) {
      search++
      for (const [id, oldest] of pools) {
        if (bytes <= maxBytes) return
        drop(id, oldest)
      }
    },
  }
}
