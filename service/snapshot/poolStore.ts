import type { Address } from '../config.ts'
import type { PoolSnapshot } from '../pools/poolType.ts'
import { type PoolKind, poolCodecs, writeTicks } from './poolCodecs.ts'
import {
  copyState,
  infoRecord,
  readPool,
  stateRecord,
  ticksRecord,
  writeInfo,
  writeText,
} from './poolRecord.ts'
import { createPoolTables, createStateOffsets, loadWord, type PoolTables, poolRow } from './poolTables.ts'
import { createRecordAllocator } from './recordAllocator.ts'
import { growWords, type SharedWords } from './sharedWords.ts'
import { createTableWriter } from './tableWriter.ts'
import { createWordWriter, type WordWriter, writeWord } from './wordCodec.ts'

/** The pools of one block; plain data, valid in other threads while pinned. */
export type PoolVersion = {
  id: number
  /** Index of the state offsets in `offsets`. */
  slot: number
  /** The highest pool id. */
  lastPool: number
  /** Number of pools. */
  size: number
  /** Changes when pools are added or removed. */
  membership: number
}

/** Writes pools into shared memory, one version per block. */
export type PoolStore = {
  tables: PoolTables
  /** State offsets by `slot`; more are added when many versions are pinned. */
  offsets: readonly SharedWords[]
  version(): PoolVersion
  /** Keeps a version until its release; the current one by default. */
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
  publish(): void
  /** Ends it without effect. */
  discard(): void
}

export function createPoolStore(): PoolStore {
  const tables = createPoolTables()
  const { records } = tables
  const allocator = createRecordAllocator(records)
  const writer = createTableWriter(tables, infoRecord.address)
  const sources = new Map<string, number>()
  const offsets = [createStateOffsets()]
  /** Version and number of pins, by slot. */
  const holders = [{ version: 0, pins: 0 }]
  const out = createWordWriter()
  let current: PoolVersion = { id: 0, slot: 0, lastPool: 0, size: 0, membership: 0 }
  let sequence = 0
  let isDrafting = false

  function store({ words, length }: WordWriter): number {
    const offset = allocator.allocate(length)
    records.words.set(words.subarray(0, length), offset)
    return offset
  }

  function sourceOf(source: string): number {
    const known = sources.get(source)
    if (known !== undefined) return known
    out.length = 0
    writeText(out, source)
    const offset = store(out)
    sources.set(source, offset)
    return offset
  }

  function isEqual(offset: number, from: number): boolean {
    const { words } = records
    for (let i = from; i < out.length; i++) if (words[offset + i] !== out.words[i]) return false
    return true
  }

  /** A free slot with the state offsets of the current version. */
  function openSlot(): number {
    const free = holders.findIndex(({ pins }, slot) => pins === 0 && slot !== current.slot)
    const slot = free < 0 ? holders.length : free
    if (free < 0) {
      offsets.push(createStateOffsets())
      holders.push({ version: 0, pins: 0 })
    }
    return slot
  }

  function begin(isWhole: boolean): PoolDraft {
    if (isDrafting) throw new Error('Another version is being written.')
    isDrafting = true
    allocator.collect(Math.min(...holders.map(({ version, pins }) => (pins > 0 ? version : current.id))))
    const before = current
    const slot = openSlot()
    const states = offsets[slot] as SharedWords
    growWords(states, before.lastPool + 1)
    states.words.set((offsets[before.slot] as SharedWords).words.subarray(0, before.lastPool + 1))
    const kept = isWhole ? new Uint8Array(before.lastPool + 1) : undefined
    /** Offset and length of records. */
    const added: number[] = []
    const removed: number[] = []
    let { size, membership } = before
    let isOtherMembership = false

    function add(): number {
      const offset = store(out)
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
      isOtherMembership = true
    }

    function drop(pool: number): void {
      const state = stateOf(pool)
      if (state === 0) return
      const ticks = records.words[state + stateRecord.ticks] as number
      if (ticks !== 0) remove(ticks, ticksRecord.length)
      remove(state, stateRecord.length)
      setState(pool, 0)
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
      return same ?? writer.addPool(store(out), address, tokens)
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
      const ticks = kind === 'concentrated' ? putTicks(pool.state, knownTicks) : 0
      out.length = 0
      for (const word of [sequence + 1, 0, ticks]) writeWord(out, word)
      poolCodecs[kind].writeState(out, pool.state)
      out.words[stateRecord.length] = out.length
      if (known !== 0 && isEqual(known, stateRecord.length)) return
      sequence = (sequence + 1) >>> 0
      if (known !== 0) remove(known, stateRecord.length)
      setState(id, add())
    }

    function end(): void {
      if (!isDrafting) throw new Error('This version has ended.')
      isDrafting = false
    }

    return {
      put,
      publish() {
        end()
        kept?.forEach((isKept, pool) => {
          if (isKept === 0 && pool > 0) drop(pool)
        })
        const lastPool = writer.lastPool()
        growWords(states, lastPool + 1)
        if (isOtherMembership) membership++
        current = { id: before.id + 1, slot, lastPool, size, membership }
        holders[slot] = { version: current.id, pins: 0 }
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
    return (offsets[slot] as SharedWords).words[pool] as number
  }

  return {
    tables,
    offsets,
    version: () => current,
    pin() {
      const holder = holders[current.slot]
      if (holder !== undefined) holder.pins++
      return current
    },
    release({ slot }) {
      const holder = holders[slot]
      if (holder !== undefined) holder.pins--
    },
    begin,
    read(address) {
      const pool = writer.poolsAt(address).find((id) => id <= current.lastPool && stateAt(current, id) !== 0)
      return pool === undefined ? undefined : readPool(tables, pool, stateAt(current, pool))
    },
    copy(version, pool) {
      const states = copyState(tables, stateAt(version, pool))
      return () => readPool(tables, pool, 0, states)
    },
    *readAll(version) {
      for (let pool = 1; pool <= version.lastPool; pool++) {
        const state = stateAt(version, pool)
        if (state !== 0) yield readPool(tables, pool, state)
      }
    },
  }
}
