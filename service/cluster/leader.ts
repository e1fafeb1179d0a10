import type { Hex } from 'viem'
import { describeTokens } from '../indexer/onDemand/describeTokens.ts'
import { markTokens, type Want } from '../indexer/onDemand/tokenCoverage.ts'
import { createPolling, type PollingOptions } from '../indexer/polling.ts'
import type { Update } from '../indexer/update.ts'
import { createDeferred } from './deferred.ts'
import { type ClusterNode, joinCluster, type Role } from './election.ts'
import type { LogEntry, ReplicationLog } from './redisStream.ts'

type Written = { hash: Hex | ''; asked: string; tokens: string; at: number; changes: number }

/** Last request heard before a reading, and its start in Unix ms. */
type Reading = { heard: string; startedAt: number }

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
  const joined = createDeferred()
  const beatMs = lockMs / 3
  let asked = ''
  let wantsSnapshot = false
  let written: Written = { hash: '', asked: '', tokens: '', at: 0, changes: 0 }
  let failingSince: number | undefined

  let reading: Reading | undefined

  const polling = createPolling(
    async () => {
      const begun = { heard: asked, startedAt: Date.now() }
      reading = begun
      try {
        const update = await host.readNode(isOver)
        failingSince = undefined
        // An update has been published where it was adopted.
        if (update === undefined) inOrder(publishState(begun)).catch(fail)
        await publishing
      } finally {
        reading = undefined
      }
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

  /** Publishes in the order of adoption. Pools added to a block are not of the reading under way. */
  function publishRead(update: Update): void {
    const isAddition = update.after === update.block.hash
    const { heard, startedAt } = (isAddition ? undefined : reading) ?? {
      heard: written.asked,
      startedAt: polling.checked().at ?? Date.now(),
    }
    const tokens = host.ledger.coverage.mark()
    const entry = { hash: update.block.hash, asked: heard, tokens }
    inOrder(() => publish({ ...entry, ageMs: Date.now() - startedAt, update })).catch(fail)
  }

  function publishState({ heard, startedAt }: Reading): () => Promise<void> {
    const { block, coverage } = host.ledger
    const hash = block()?.hash
    const tokens = coverage.mark()
    return async () => {
      if (hash !== undefined) await publish({ hash, asked: heard, tokens, ageMs: Date.now() - startedAt })
    }
  }

  /** Between polls, which may be a block apart. */
  async function beat(): Promise<void> {
    const { at } = polling.checked()
    const { hash, asked, tokens } = written
    if (isOver() || at === undefined || hash === '' || Date.now() - written.at < beatMs) return
    const entry = { hash, asked, tokens, ageMs: Date.now() - at }
    if (!(await stream.write(entry))) end()
    written = { ...written, at: Date.now() }
  }

  async function publish(entry: LogEntry): Promise<void> {
    const { hash, tokens, update } = entry
    if (isOver()) return
    const isNext = written.hash === (update === undefined ? hash : update.after)
    const isSame = update !== undefined || written.tokens === tokens
    if (wantsSnapshot || !isNext || !isSame || written.changes >= changesPerSnapshot)
      return writeSnapshot(entry)
    const isNews = update !== undefined || entry.asked !== written.asked || Date.now() - written.at >= beatMs
    if (!isNews) return
    if (!(await stream.write(entry))) end()
    written = { ...entry, at: Date.now(), changes: written.changes + (update === undefined ? 0 : 1) }
  }

  async function writeSnapshot({ asked, ageMs }: LogEntry): Promise<void> {
    wantsSnapshot = false
    const whole = host.ledger.stream()
    if (whole === undefined) return
    const entry = { hash: whole.block.hash, asked, ageMs, tokens: markTokens(whole.tokens) }
    if (!(await stream.writeSnapshot(entry, whole))) end()
    written = { ...entry, at: Date.now(), changes: 0 }
  }

  /** Writes the pools of tokens for another host: at once if they are known, else when they are read. */
  function answer(wants: readonly Want[]): void {
    const { coverage } = host.ledger
    const known = wants.filter((want) => coverage.covers(want))
    const others = wants.filter((want) => !coverage.covers(want))
    const update = known.length === 0 ? undefined : describeTokens(host.ledger, known)
    if (update !== undefined) publishRead(update)
    // The host that asks waits for a limited time.
    if (others.length > 0) host.findTokens(others).catch(() => undefined)
  }

  /** Renews the lease only while the RPC works. */
  async function listen(): Promise<void> {
    while (!isOver()) {
      const asks = await stream.nextRequests(asked, beatMs)
      asked = asks.at(-1)?.id ?? asked
      wantsSnapshot ||= asks.some(({ what }) => what === 'whole')
      for (const { what, wants } of asks) {
        if (what === 'find') joined.over.then(() => answer(wants))
        else if (what === 'touch') for (const token of wants.flat()) host.ledger.coverage.touch(token)
        else polling.refresh().catch(() => undefined)
      }
      const stays = failingSince === undefined ? await stream.renew() : Date.now() - failingSince < lockMs
      if (!stays) end()
      else inOrder(beat).catch(fail)
    }
  }

  async function begin(): Promise<void> {
    asked = await stream.lastRequest()
    listen().catch(fail)
    const { hash = '', tokens = '' } = await joinCluster(host, stream)
    written = { ...written, hash, tokens }
    if (isOver()) return
    host.onRead(publishRead)
    joined.end()
    await polling.start()
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
    async findTokens(wants) {
      await begun
      return isOver() ? undefined : host.findTokens(wants)
    },
    checked: polling.checked,
    stop() {
      host.onRead(undefined)
      end()
      polling.stop()
    },
  }
}
