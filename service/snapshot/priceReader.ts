import type { Address } from '../config.ts'
import type { PriceIndex } from '../routing/priceIndex.ts'
import { infoRecord, readText } from './poolRecord.ts'
import { loadWord, type PoolTables, poolRow, toAddressWords } from './poolTables.ts'
import { openPriceTable } from './priceTable.ts'
import type { PoolVersion, VersionSlot } from './versionSlots.ts'
import { addressWords } from './wordCodec.ts'

export type PriceReader = {
  /** Returns the index of a version; equal `layout` means the same pools. Throws if it has other tokens. */
  read(version: PoolVersion): { layout: number; index: PriceIndex }
}

/** Creates a reader of the indexes that the store keeps for these tokens. */
export function createPriceReader(
  tables: PoolTables,
  slots: readonly VersionSlot[],
  trusted: ReadonlySet<Address>,
): PriceReader {
  const tokens = [...trusted]
  const places = new Map(tokens.map((token, i) => [token, i]))
  let opened: { id: number; layout: number; index: PriceIndex } | undefined

  function open({ slot }: PoolVersion): { layout: number; index: PriceIndex } {
    const table = openPriceTable((slots[slot] as VersionSlot).prices.buffer)
    if (table.tokens !== tokens.length) throw new Error('The pools have no price index of these tokens.')
    const texts = table.sourceTexts.subarray(0, table.sources)
    const sources = Array.from(texts, (at) => readText({ words: tables.records.words, at }))
    const poolsAt = (addresses: ReadonlySet<Address>) => findPools(tables, table.ids, addresses)
    return { layout: table.layout, index: { ...table, tokens, places, sources, poolsAt } }
  }

  return {
    read(version) {
      opened = opened?.id === version.id ? opened : { id: version.id, ...open(version) }
      return opened
    },
  }
}

function findPools(tables: PoolTables, ids: Uint32Array, addresses: ReadonlySet<Address>): number[] {
  const { words } = tables.records
  const found: number[] = []
  for (const address of addresses) {
    const wanted = Uint32Array.from(toAddressWords(address))
    ids.forEach((id, pool) => {
      const at = loadWord(tables.pools, id * poolRow.words + poolRow.info) + infoRecord.address
      for (let i = 0; i < addressWords; i++) if (words[at + i] !== wanted[i]) return
      found.push(pool)
    })
  }
  return found
}
