import type { Address, ChainConfig } from '../config.ts'
import { createMutex } from '../indexer/mutex.ts'
import type { Want } from '../indexer/onDemand/tokenCoverage.ts'
import type { Check, Schedule } from '../indexer/polling.ts'
import { createPoolState, type PoolState } from '../indexer/poolState.ts'
import { createStateWriter, type StateWriterOptions } from '../indexer/stateWriter.ts'
import type { StreamedUpdate, Update } from '../indexer/update.ts'
import type { ReplicationLog, StoredEntry } from './redisStream.ts'
import { logStart } from './streamEntries.ts'

export type ClusterNode = {
  ledger: PoolState
  /** Applies updates one at a time; drops one that does not follow. */
  adopt(update: Update | StreamedUpdate): Promise<void>
  /** Reads the chain; if `isTooLate`, adopts only a newer block. */
  readNode(isTooLate: () => boolean): Promise<Update | undefined>
  /**
   * Reads the pools of tokens from the chain, and returns the tokens without code. Throws unless the host
   * reads the chain: a follower would miss what changes them.
   */
  findTokens(wants: readonly Want[]): Promise<Address[]>
  /** Passes each update that was read and adopted, in order, to the role that reads the chain. */
  onRead(listener: ((update: Update) => void) | undefined): void
  /** Undefined for a chain without a block interval. */
  schedule: Schedule | undefined
}

/** Leader, follower or standalone. */
export type Role = {
  title: string
  /** Resolves after the first attempt. */
  begun: Promise<void>
  /** Resolves when the role must be chosen again; rejects when Redis failed. */
  over: Promise<void>
  /** Resolves at the latest block; false when the role ended first. */
  refresh(): Promise<boolean>
  /**
   * Resolves when the pools of `wants` are part of the state, with the tokens that have no code; undefined
   * when the role ended first.
   */
  findTokens(wants: readonly Want[]): Promise<Address[] | undefined>
  /** Reports tokens as used, if another host has to know. */
  touch?(tokens: readonly Address[]): void
  checked(): Check
  stop(): void
}

export function createClusterNode(
  config: ChainConfig,
  rpcUrl: string,
  ledger: PoolState,
  take: (update: Update | StreamedUpdate) => Promise<void>,
  options: StateWriterOptions,
): ClusterNode {
  const inTurn = createMutex()
  let listener: ((update: Update) => void) | undefined
  const { advance, find, schedule } = createStateWriter(config, rpcUrl, ledger, adoptRead, options)

  /** False if the update does not follow. */
  async function adoptNow(update: Update | StreamedUpdate): Promise<boolean> {
    if (update.after !== undefined && update.after !== ledger.block()?.hash) return false
    await take(update)
    ledger.apply(update)
    return true
  }

  const adopt = (update: Update | StreamedUpdate) => inTurn(async () => void (await adoptNow(update)))

  function adoptRead(update: Update): Promise<void> {
    return inTurn(async () => {
      if (update.after === update.block.hash && listener === undefined) {
        throw new Error('Another host reads the chain now.')
      }
      if (await adoptNow(update)) listener?.(update)
    })
  }

  return {
    ledger,
    adopt,
    schedule,
    findTokens: find,
    readNode: (isTooLate) =>
      advance(({ block }) => {
        const known = ledger.block()
        return !isTooLate() || known === undefined || known.number < block.number
      }),
    onRead(given) {
      listener = given
    },
  }
}

/** Returns the state after the last entry; undefined if missing or inconsistent. */
export async function readReplicationLog(
  stream: ReplicationLog,
): Promise<{ all: StreamedUpdate; last: StoredEntry } | undefined> {
  const found = await stream.readSnapshot()
  if (found === undefined) return undefined
  const ledger = createPoolState()
  try {
    await ledger.adopt(found.whole)
  } catch {
    // The log has told why it is unreadable.
    return undefined
  }
  let last: StoredEntry = { id: found.id }
  for (const entry of await stream.entriesFrom(found.id)) {
    if (entry.hash === undefined) continue
    if (entry.update !== undefined && entry.update.after === ledger.block()?.hash) ledger.apply(entry.update)
    if (!isAtEntry(ledger, entry)) return undefined
    last = entry
  }
  return { all: ledger.stream() as StreamedUpdate, last }
}

/** Adopts the log's state unless older; returns the entry to continue after. */
export async function joinCluster(host: ClusterNode, stream: ReplicationLog): Promise<StoredEntry> {
  const last = await stream.lastEntry()
  const known = host.ledger.block()
  if (last === undefined) return { id: logStart }
  if (known !== undefined && isAtEntry(host.ledger, last)) return last
  const found = await readReplicationLog(stream)
  if (found === undefined || (known && known.number > found.all.block.number)) return last
  await host.adopt(found.all)
  return found.last
}

/** True if the state has the entry's block and the pools of the same tokens. */
export function isAtEntry({ block, coverage }: PoolState, { hash, tokens = '' }: StoredEntry): boolean {
  return hash !== undefined && hash === block()?.hash && tokens === coverage.mark()
}
