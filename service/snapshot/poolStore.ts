import type { Address, PoolKind } from '../config.ts'
import type { PoolSnapshot } from '../pools/poolType.ts'
import { kindsWithTicks, poolCodecs, writeTicks } from './poolCodecs.ts'
import { copyState, infoRecord, readPool, stateRecord, ticksRecord, writeInfo } from './poolRecord.ts'
import { createPoolTables, loadWord, type PoolTables, poolRow } from './poolTables.ts'
import { createPriceWriter, type PriceWriter } from './priceWriter.ts'
import { createRecordAllocator } from './recordAllocator.ts'
import { createRecordWriter } from './recordWriter.ts'
import { growWords } from './sharedWords.ts'
import { createTableWriter } from './tableWriter.ts'
import { createVersionSlots, type PoolVersion, type VersionSlot } from './versionSlots.ts'
import { writeWord } from './wordCodec.ts'

/** Writes pools into shared memory, one version per block. */
export type PoolStore = {
  tables: PoolTables
  /** More are added when many versions are pinned. */
  slots: readonly VersionSlot[]
  version(): PoolVersion
  /**
   * Keeps a price index of the pools between these tokens, of the current version and all later ones. Throws
   * if the store has one of other tokens.
   */
  indexPrices(trusted: ReadonlySet<Address>): void
  /** Keeps the current version until its release. */
  pin(): PoolVersion
  release(version: PoolVersion): void
  /** Begins the next version; without pools if `isWhole`, else like the current. */
  begin(isWhole: boolean): PoolDraft
  /** Undefined if no pool of the current version has the address. */
  read(address: Address): PoolSnapshot | undefined
  /** Yields the pools of a version, which must be current or pinned at each step. */
  readAll(version: PoolVersion): Generator<PoolSnapshot>
  /** Copies a pool of a pinned version, to be decoded later. */
  copy(version: PoolVersion, pool: number): () => PoolSnapshot
}

/** The next version while it is written. One at a time. */
export type PoolDraft = {
  put(pool: PoolSnapshot): void
  remove(address: Address): void
  publish(): void
  /** Ends it without effect. */
  discard(): void
}

export function createPoolStore(): PoolStore {
  const tables = createPoolTables()
  const { records } = tables
  const allocator = createRecordAllocator(records)
  const { out, store, isEqual, sourceOf } = createRecordWriter(records, allocator)
  const writer = createTableWriter(tables, infoRecord.address)
  const versions = createVersionSlots()
  const { slots } = versions
  let prices: PriceWriter | undefined
  let sequence = 0
  let isDrafting = false

  function begin(isWhole: boolean): PoolDraft {
    if (isDrafting) throw new Error('Another version is being written.')
    isDrafting = true
    allocator.collect(versions.oldest())
    const before = versions.current()
    const slot = versions.free()
    const [last, next] = [slots[before.slot], slots[slot]] as [VersionSlot, VersionSlot]
    const states = next.offsets
    growWords(states, before.lastPool + 1)
    states.words.set(last.offsets.words.subarray(0, before.lastPool + 1))
    const index = prices?.begin(last.prices, next.prices)
    const kept = isWhole ? new Uint8Array(before.lastPool + 1) : undefined
    /** Offset and length of records. */
    const added: number[] = []
    const removed: number[] = []
    let { size } = before

    function add(): number {
      const offset = store()
      added.push(offset, out.length)
      return offset
    }

    function remove(offset: number, lengthAt: number): void {
      removed.push(offset, records.words[offset + lengthAt] as number)
    }

    function stateOf(pool: number): number {
      return states.words[pool] ?? 0
    }

    function setState(pool: number, offset: number): void {
      growWords(states, pool + 1)
      const last = states.words[pool] as number
      states.words[pool] = offset
      if ((last === 0) === (offset === 0)) return
      size += offset === 0 ? -1 : 1
    }

    function drop(pool: number): void {
      const state = stateOf(pool)
      if (state === 0) return
      const ticks = records.words[state + stateRecord.ticks] as number
      if (ticks !== 0) remove(ticks, ticksRecord.length)
      remove(state, stateRecord.length)
      setState(pool, 0)
      index?.remove(pool)
    }

    /** An address may be reused after a reorganisation, with other parameters. */
    function poolOf({ listing }: PoolSnapshot): number {
      const { address } = listing
      const tokens = listing.tokens.map(writer.tokenOf)
      const source = sourceOf(listing.source)
      writeInfo(out, listing, tokens, source)
      const known = writer.poolsAt(address)
      const same = known.find((pool) =>
        isEqual(loadWord(tables.pools, pool * poolRow.words + poolRow.info), 0),
      )
      for (const pool of known) if (pool !== same) drop(pool)
      return same ?? writer.addPool(store(), address, tokens)
    }

    function putTicks(state: unknown, known: number): number {
      out.length = 0
      writeWord(out, 0)
      writeTicks(out, (state as { ticks: [] }).ticks)
      out.words[ticksRecord.length] = out.length
      if (known !== 0 && isEqual(known, 0)) return known
      if (known !== 0) remove(known, ticksRecord.length)
      return add()
    }

    function put(pool: PoolSnapshot): void {
      const kind: PoolKind = pool.listing.kind
      const id = poolOf(pool)
      if (kept !== undefined && id < kept.length) kept[id] = 1
      const known = stateOf(id)
      const knownTicks = known === 0 ? 0 : (records.words[known + stateRecord.ticks] as number)
      const ticks = kindsWithTicks.has(kind) ? putTicks(pool.state, knownTicks) : 0
      out.length = 0
      for (const word of [sequence + 1, 0, ticks]) writeWord(out, word)
      poolCodecs[kind].writeState(out, pool.state)
      out.words[stateRecord.length] = out.length
      if (known !== 0 && isEqual(known, stateRecord.length)) return
      sequence = (sequence + 1) >>> 0
      if (known !== 0) remove(known, stateRecord.length)
      setState(id, add())
      index?.put(id, pool, sourceOf(pool.listing.source))
    }

    function end(): void {
      if (!isDrafting) throw new Error('This version has ended.')
      isDrafting = false
    }

    return {
      put,
      remove(address) {
        for (const pool of writer.poolsAt(address)) drop(pool)
      },
      publish() {
        end()
        if (kept !== undefined)
          for (let pool = 1; pool < kept.length; pool++) if (kept[pool] === 0) drop(pool)
        const lastPool = writer.lastPool()
        growWords(states, lastPool + 1)
        index?.publish()
        versions.publish({ id: before.id + 1, slot, lastPool, size })
        for (let i = 0; i < removed.length; i += 2) {
          allocator.retire(removed[i] as number, removed[i + 1] as number, before.id)
        }
      },
      discard() {
        end()
        states.words.fill(0, before.lastPool + 1)
        for (let i = 0; i < added.length; i += 2) allocator.free(added[i] as number, added[i + 1] as number)
      },
    }
  }

  function stateAt({ slot }: PoolVersion, pool: number): number {
    return (slots[slot] as VersionSlot).offsets.words[pool] as number
  }

  function* readAll(version: PoolVersion): Generator<PoolSnapshot> {
    for (let pool = 1; pool <= version.lastPool; pool++) {
      const state = stateAt(version, pool)
      if (state !== 0) yield readPool(tables, pool, state)
    }
  }

  return {
    tables,
    slots,
    version: versions.current,

    indexPrices(trusted) {
      if (prices !== undefined) {
        const { tokens } = prices
        const isSame = tokens.length === trusted.size && tokens.every((token) => trusted.has(token))
        if (!isSame) throw new Error('The store has a price index of other tokens.')
        return
      }
      if (isDrafting) throw new Error('Another version is being written.')
      prices = createPriceWriter([...trusted])
      const current = versions.current()
      const { prices: words } = slots[current.slot] as VersionSlot
      const index = prices.begin(words, words)
      for (let pool = 1; pool <= current.lastPool; pool++) {
        const state = stateAt(current, pool)
        if (state === 0) continue
        const snapshot = readPool(tables, pool, state)
        index.put(pool, snapshot, sourceOf(snapshot.listing.source))
      }
      index.publish()
    },

    pin: versions.pin,
    release: versions.release,
    begin,
    read(address) {
      const current = versions.current()
      const pool = writer.poolsAt(address).find((id) => id <= current.lastPool && stateAt(current, id) !== 0)
      return pool === undefined ? undefined : readPool(tables, pool, stateAt(current, pool))
    },
    copy(version, pool) {
      const states = copyState(tables, stateAt(version, pool))
      return () => readPool(tables, pool, 0, states)
    },
    readAll,
  }
}
