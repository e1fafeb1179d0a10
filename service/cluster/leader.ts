import type { Hex } from 'viem'
import { createPolling, type PollingOptions } from '../indexer/polling.ts'
import type { Update } from '../indexer/update.ts'
import { createDeferred } from './deferred.ts'
import { type ClusterNode, joinCluster, type Role } from './election.ts'
import type { LogEntry, ReplicationLog } from './redisStream.ts'

type Written = { hash: Hex | ''; asked: string; at: number; changes: number }

/** Entries between snapshots. */
const changesPerSnapshot = 256

/**
 * Creates the leader role: reads the chain and writes updates and heartbeats. Ends when another leads, or
 * when the RPC has failed for `lockMs`.
 */
export function createLeader(
  host: ClusterNode,
  stream: ReplicationLog,
  lockMs: number,
  options: PollingOptions,
): Role {
  const { over, isOver, end, fail } = createDeferred()
  const beatMs = lockMs / 3
  let asked = ''
  let wantsSnapshot = false
  let written: Written = { hash: '', asked: '', at: 0, changes: 0 }
  let failingSince: number | undefined

  const polling = createPolling(
    async () => {
      const heard = asked
      const startedAt = Date.now()
      const update = await host.readNode(isOver)
      failingSince = undefined
      await inOrder(() => publish(update, heard, startedAt)).catch(fail)
    },
    {
      ...options,
      onFailure(error) {
        failingSince ??= Date.now()
        options.onFailure?.(error)
      },
    },
    host.schedule,
  )
  let publishing: Promise<unknown> = Promise.resolve()

  /** Entries are written in order: a heartbeat names the hash of the last update. */
  function inOrder(work: () => Promise<void>): Promise<void> {
    const mine = publishing.then(work)
    publishing = mine.catch(() => undefined)
    return mine
  }

  /** Between polls, which may be a block apart. */
  async function beat(): Promise<void> {
    const { at } = polling.checked()
    const { hash, asked } = written
    if (isOver() || at === undefined || hash === '' || Date.now() - written.at < beatMs) return
    const entry = { hash, asked, ageMs: Date.now() - at }
    if (!(await stream.write(entry))) end()
    written = { ...written, at: Date.now() }
  }

  async function publish(update: Update | undefined, heard: string, startedAt: number): Promise<void> {
    const hash = host.ledger.block()?.hash
    if (hash === undefined || isOver()) return
    const entry = { hash, asked: heard, ageMs: Date.now() - startedAt }
    const isNext = written.hash === (update === undefined ? hash : update.after)
    if (wantsSnapshot || !isNext || written.changes >= changesPerSnapshot) return writeSnapshot(entry)
    const isNews = update !== undefined || heard !== written.asked || Date.now() - written.at >= beatMs
    if (!isNews) return
    if (!(await stream.write(update === undefined ? entry : { ...entry, update }))) end()
    written = { ...entry, at: Date.now(), changes: written.changes + (update === undefined ? 0 : 1) }
  }

  async function writeSnapshot(entry: LogEntry): Promise<void> {
    wantsSnapshot = false
    const whole = host.ledger.stream()
    if (whole === undefined || !(await stream.writeSnapshot(entry, whole))) end()
    written = { ...entry, at: Date.now(), changes: 0 }
  }

  /** Renews the lease only while the RPC works. */
  async function listen(): Promise<void> {
    while (!isOver()) {
      const asks = await stream.nextRequests(asked, beatMs)
      asked = asks.at(-1)?.id ?? asked
      wantsSnapshot ||= asks.some(({ what }) => what === 'whole')
      if (asks.length > 0) polling.refresh().catch(() => undefined)
      const stays = failingSince === undefined ? await stream.renew() : Date.now() - failingSince < lockMs
      if (!stays) end()
      else inOrder(beat).catch(fail)
    }
  }

  async function begin(): Promise<void> {
    asked = await stream.lastRequest()
    listen().catch(fail)
    const { hash = '' } = await joinCluster(host, stream)
    written = { ...written, hash }
    if (!isOver()) await polling.start()
  }
  const begun = begin().catch(fail)

  return {
    title: 'this host reads the chain for all',
    begun,
    over,
    async refresh() {
      await begun
      await polling.refresh().catch((error: unknown) => {
        if (!isOver()) throw error
      })
      return !isOver()
    },
    checked: polling.checked,
    stop() {
      end()
      polling.stop()
    },
  }
}
