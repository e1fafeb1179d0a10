/** Sizes of a version's price index. */
export type PriceSizes = { tokens: number; pools: number; entries: number; sources: number }

/**
 * A version's price index in one buffer; fields as in `PriceIndex` (routing/priceIndex.ts). `ids` has the id
 * of each pool, `sourceTexts` the record offset of each source's name.
 */
export type PriceTable = PriceSizes & {
  /** Changes when pools join or leave. */
  layout: number
  sellStart: Float64Array
  sellDepth: Float64Array
  buyStart: Float64Array
  buyDepth: Float64Array
  sellRounding: Float32Array
  buyRounding: Float32Array
  first: Int32Array
  other: Int32Array
  pool: Int32Array
  ids: Uint32Array
  sourceTexts: Uint32Array
  source: Uint8Array
}

/** Words before the arrays; even, as doubles must be aligned. */
const head = { words: 6, layout: 0, tokens: 1, pools: 2, entries: 3, sources: 4 } as const

/** As many as a byte can name. */
export const maxSources = 256

/** Address space of an index: more than ten million entries. */
export const maxPriceWords = 2 ** 27

/** Words of an index. */
export function priceWords({ tokens, pools, entries }: PriceSizes): number {
  return head.words + 12 * entries + tokens + 1 + pools + maxSources + Math.ceil(pools / 4)
}

/** Writes layout and sizes; the buffer must have room for the arrays. */
export function writePriceHead(words: Uint32Array, layout: number, sizes: PriceSizes): void {
  words[head.layout] = layout
  words[head.tokens] = sizes.tokens
  words[head.pools] = sizes.pools
  words[head.entries] = sizes.entries
  words[head.sources] = sizes.sources
}

/** Opens the arrays of an index whose head is written. */
export function openPriceTable(buffer: ArrayBufferLike): PriceTable {
  const words = new Uint32Array(buffer, 0, head.words)
  const [layout, tokens, pools, entries, sources] = [...words] as [number, number, number, number, number]
  let at = head.words * 4
  const take = (bytes: number) => {
    at += bytes
    return at - bytes
  }
  const prices = () => new Float64Array(buffer, take(8 * entries), entries)
  const singles = () => new Float32Array(buffer, take(4 * entries), entries)
  const integers = (count: number) => new Int32Array(buffer, take(4 * count), count)
  return {
    ...{ layout, tokens, pools, entries, sources },
    ...{ sellStart: prices(), sellDepth: prices(), buyStart: prices(), buyDepth: prices() },
    ...{ sellRounding: singles(), buyRounding: singles() },
    ...{ first: integers(tokens + 1), other: integers(entries), pool: integers(entries) },
    ids: new Uint32Array(buffer, take(4 * pools), pools),
    sourceTexts: new Uint32Array(buffer, take(4 * maxSources), maxSources),
    source: new Uint8Array(buffer, take(pools), pools),
  }
}
