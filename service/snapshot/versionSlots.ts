import { createStateOffsets } from './poolTables.ts'
import { maxPriceWords } from './priceTable.ts'
import { createSharedWords, type SharedWords } from './sharedWords.ts'

/** The pools of one block; plain data, valid in other threads while pinned. */
export type PoolVersion = {
  id: number
  /** Index in the store's slots. */
  slot: number
  /** The highest pool id. */
  lastPool: number
  /** Number of pools. */
  size: number
}

/** Shared memory of one version: the state offsets of its pools, and its price index. */
export type VersionSlot = { offsets: SharedWords; prices: SharedWords }

/** Slots of the current and the pinned versions, and of the next. */
export type VersionSlots = {
  slots: readonly VersionSlot[]
  current(): PoolVersion
  /** Keeps the current version until its release. */
  pin(): PoolVersion
  release(version: PoolVersion): void
  /** Id of the oldest version that is pinned or current. */
  oldest(): number
  /** Returns a slot that no version uses, adding one if there is none. */
  free(): number
  publish(version: PoolVersion): void
}

export function createVersionSlots(): VersionSlots {
  const slots = [createSlot()]
  /** Version and number of pins, by slot. */
  const holders = [{ version: 0, pins: 0 }]
  let current: PoolVersion = { id: 0, slot: 0, lastPool: 0, size: 0 }

  return {
    slots,
    current: () => current,
    pin() {
      const holder = holders[current.slot]
      if (holder !== undefined) holder.pins++
      return current
    },
    release({ slot }) {
      const holder = holders[slot]
      if (holder !== undefined) holder.pins--
    },
    oldest: () => Math.min(...holders.map(({ version, pins }) => (pins > 0 ? version : current.id))),
    free() {
      const found = holders.findIndex(({ pins }, slot) => pins === 0 && slot !== current.slot)
      if (found >= 0) return found
      slots.push(createSlot())
      return holders.push({ version: 0, pins: 0 }) - 1
    },
    publish(version) {
      current = version
      holders[version.slot] = { version: version.id, pins: 0 }
    },
  }
}

function createSlot(): VersionSlot {
  return { offsets: createStateOffsets(), prices: createSharedWords(maxPriceWords) }
}
