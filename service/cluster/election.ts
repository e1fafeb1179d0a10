import type { ChainConfig } from '../config.ts'
import { type ChainReaderOptions, createChainReader } from '../indexer/chainReader.ts'
import type { Check, Schedule } from '../indexer/polling.ts'
import { createPoolState, type PoolState } from '../indexer/poolState.ts'
import type { StreamedUpdate, Update } from '../indexer/update.ts'
import { logStart, type ReplicationLog, type StoredEntry } from './redisStream.ts'

export type ClusterNode = {
  ledger: PoolState
  /** Applies updates one at a time; drops one that does not follow. */
  adopt(update: Update | StreamedUpdate): Promise<void>
  /** Reads the chain; if `isTooLate`, adopts only a newer block. */
  readNode(isTooLate: () => boolean): Promise<Update | undefined>
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
  checked(): Check
  stop(): void
}

export function createClusterNode(
  config: ChainConfig,
  rpcUrl: string,
  ledger: PoolState,
  take: (update: Update | StreamedUpdate) => Promise<void>,
  options: ChainReaderOptions,
): ClusterNode {
  const { read, schedule } = createChainReader(config, rpcUrl, ledger, options)
  let last: Promise<void> = Promise.resolve()

  async function adoptNow(update: Update | StreamedUpdate): Promise<void> {
    if (update.after !== undefined && update.after !== ledger.block()?.hash) return
    await take(update)
    ledger.apply(update)
  }

  function adopt(update: Update | StreamedUpdate): Promise<void> {
    const mine = last.then(() => adoptNow(update))
    last = mine.catch(() => undefined)
    return mine
  }

  return {
    ledger,
    adopt,
    schedule,
    async readNode(isTooLate) {
      const update = await read()
      const known = ledger.block()
      if (update === undefined) return undefined
      if (isTooLate() && known !== undefined && known.number >= update.block.number) return undefined
      await adopt(update)
      return update
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
    if (entry.hash !== ledger.block()?.hash) return undefined
    last = entry
  }
  return { all: ledger.stream() as StreamedUpdate, last }
}

/** Adopts the log's state unless older; returns the entry to continue after. */
export async function joinCluster(host: ClusterNode, stream: ReplicationLog): Promise<StoredEntry> {
  const last = await stream.lastEntry()
  const known = host.ledger.block()
  if (last === undefined) return { id: logStart }
  if (known !== undefined && last.hash === known.hash) return last
  const found = await readReplicationLog(stream)
  if (found === undefined || (known && known.number > found.all.block.number)) return last
  if (found.all.block.hash !== known?.hash) await host.adopt(found.all)
  return found.last
}
