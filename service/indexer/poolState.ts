import { setImmediate } from 'node:timers/promises'
import type { Hex } from 'viem'
import type { Address } from '../config.ts'
import type { PoolSnapshot } from '../pools/poolType.ts'
import { poolTypes } from '../pools/registry.ts'
import { createPoolStore, type PoolDraft, type PoolStore } from '../snapshot/poolStore.ts'
import type { PoolVersion } from '../snapshot/versionSlots.ts'
import type { Header } from './chain.ts'
import {
  type CoverageDraft,
  createTokenCoverage,
  markTokens,
  type TokenCoverage,
} from './onDemand/tokenCoverage.ts'
import { createExtraPools, type ExtraDraft } from './poolLimit.ts'
import type { DecodedUpdate, StreamedUpdate, Update } from './update.ts'

/** The pools of the newest block, in shared memory. */
export type PoolState = {
  store: PoolStore
  /** The tokens whose pools these are. */
  coverage: TokenCoverage
  block(): Header | undefined
  /** Wei; undefined before the first block. */
  tip(): bigint | undefined
  /** Wei per byte of calldata on L1; undefined as in `Update`. */
  l1ByteFee(): bigint | undefined
  standing(address: Address): PoolSnapshot | undefined
  /** Pools whose state changes without events. */
  restless(): PoolSnapshot[]
  /** True if it is, or lately was, a manager of pools (PoolType.managerOf). */
  isManager(address: Address): boolean
  /**
   * Throws when the update follows another block; an update of the current block changes nothing, unless it
   * adds pools.
   */
  apply(update: Update | StreamedUpdate): void
  /** Like `apply`, without blocking the event loop. One at a time; a failure changes nothing. */
  adopt(update: StreamedUpdate | DecodedUpdate): Promise<void>
  /** All pools. Slow: `stream` reads them one by one. */
  whole(): Update | undefined
  /** All pools, unchanged while they are read. */
  stream(): StreamedUpdate | undefined
  /** The full state as an update; its `pools` are read when accessed. */
  toUpdate(): Update | undefined
}

export function createPoolState(coverage = createTokenCoverage()): PoolState {
  const store = createPoolStore()
  let at: { facts: BlockFacts; after: Hex | undefined } | undefined
  let restless = new Set<Address>()
  let managers = new Set<Address>()
  const extras = createExtraPools()
  let last: object | undefined

  function begin(head: Head): Draft {
    const { after, block } = head
    if (after !== undefined && after !== at?.facts.block.hash) {
      throw new Error(`The update of block ${block.number} follows ${after}, not ${at?.facts.block.hash}.`)
    }
    const draft = store.begin(after === undefined)
    const moving = new Set(after === undefined ? [] : restless)
    const managing = new Set(after === undefined ? [] : managers)
    const extra = extras.begin(after === undefined)
    const covered = coverage.begin(head)
    for (const address of covered.removed) {
      draft.remove(address)
      moving.delete(address)
      extra.remove(address)
    }
    return { draft, moving, managing, extra, covered }
  }

  function put({ draft, moving, managing, extra, covered }: Draft, standing: PoolSnapshot): void {
    const { address, kind } = standing.listing
    const manager = poolTypes[kind].managerOf?.(standing.state)
    if (manager !== undefined) managing.add(manager)
    const over = extra.put(standing)
    for (const other of over) {
      draft.remove(other)
      moving.delete(other)
    }
    if (over.includes(address)) return
    draft.put(standing)
    covered.add(standing.listing)
    if (poolTypes[kind].isRestless(standing.state)) moving.add(address)
    else moving.delete(address)
  }

  function end({ draft, moving, managing, extra, covered }: Draft, update: Head): void {
    const { after, block, tip, l1ByteFee } = update
    draft.publish()
    covered.commit()
    restless = moving
    managers = managing
    extra.commit()
    const facts = { block, tip, ...(l1ByteFee !== undefined && { l1ByteFee }) }
    at = { facts, after: after === block.hash ? at?.after : after }
    last = update
  }

  function isKnown(update: Head): boolean {
    if (update === last) return true
    const { after, block, tokens } = update
    if (block.hash !== at?.facts.block.hash) return false
    return after === undefined ? markTokens(tokens) === coverage.mark() : after === at.after
  }

  function* pinned(version: PoolVersion): Generator<PoolSnapshot> {
    if (store.version() !== version) throw new Error('The pools have changed before they were read.')
    store.pin()
    try {
      yield* store.readAll(version)
    } finally {
      store.release(version)
    }
  }

  const readAll = () => [...store.readAll(store.version())]

  function headOf(facts: BlockFacts): Head {
    const tokens = coverage.whole()
    return { ...facts, ...(tokens === undefined ? {} : { tokens }) }
  }

  return {
    store,
    coverage,
    block: () => at?.facts.block,
    tip: () => at?.facts.tip,
    l1ByteFee: () => at?.facts.l1ByteFee,
    standing: store.read,
    isManager: (address) => managers.has(address),
    restless: () => [...restless].flatMap((address) => store.read(address) ?? []),

    apply(update) {
      if (isKnown(update)) return
      const begun = begin(update)
      try {
        for (const standing of update.pools) put(begun, standing)
      } catch (error) {
        begun.draft.discard()
        throw error
      }
      end(begun, update)
    },

    async adopt(update) {
      if (isKnown(update)) return
      const begun = begin(update)
      try {
        // The beginning and the end of a version, each some milliseconds, have turns of their own.
        await setImmediate()
        await inSlices(update.pools, (standing) => put(begun, standing))
        await setImmediate()
      } catch (error) {
        begun.draft.discard()
        throw error
      }
      end(begun, update)
    },

    whole: () => at && { ...headOf(at.facts), pools: readAll() },

    stream() {
      const version = store.version()
      return at && { ...headOf(at.facts), pools: { [Symbol.iterator]: () => pinned(version) } }
    },

    toUpdate() {
      return (
        at && {
          ...headOf(at.facts),
          get pools() {
            return readAll()
          },
        }
      )
    },
  }
}

type Head = Omit<Update, 'pools'>
type BlockFacts = Omit<Head, 'after' | 'tokens' | 'gone'>
type Draft = {
  draft: PoolDraft
  moving: Set<Address>
  managing: Set<Address>
  extra: ExtraDraft
  covered: CoverageDraft
}

/** Pools, and milliseconds, per turn of the event loop. */
export const slicePools = 256
const sliceMs = 3

/** Works without blocking the event loop. */
export async function inSlices(
  pools: (StreamedUpdate | DecodedUpdate)['pools'],
  work: (pool: PoolSnapshot) => void,
): Promise<void> {
  let started = performance.now()
  let count = 0
  const workOn = async (some: Iterable<PoolSnapshot>) => {
    for (const pool of some) {
      work(pool)
      count++
      if (count < slicePools && performance.now() - started < sliceMs) continue
      await setImmediate()
      started = performance.now()
      count = 0
    }
  }
  if (Symbol.iterator in pools) return workOn(pools)
  for await (const some of pools) await workOn(some)
}
