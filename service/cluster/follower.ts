import { createDeferred } from './deferred.ts'
import { type ClusterNode, isAtEntry, joinCluster, type Role, readReplicationLog } from './election.ts'
import type { ReplicationLog, StoredEntry } from './redisStream.ts'
import { hasReached } from './streamEntries.ts'
import { createTokenRequests } from './tokenRequests.ts'

/** Creates the follower role; ends when the leader has resigned or its lease has expired. */
export function createFollower(
  host: ClusterNode,
  stream: ReplicationLog,
  lockMs: number,
  patienceMs: number,
): Role {
  const { over, isOver, end, fail } = createDeferred()
  let checkedAt: number | undefined
  let answered = ''
  let waiting: { id: string; answer: () => void }[] = []

  const isAt = (entry: StoredEntry) => isAtEntry(host.ledger, entry)
  const tokens = createTokenRequests(host.ledger.coverage, stream, patienceMs)

  /** Returns the entry to continue after. */
  async function follow(entry: StoredEntry): Promise<StoredEntry> {
    const { update } = entry
    if (update !== undefined && update.after === host.ledger.block()?.hash) await host.adopt(update)
    const reached = isAt(entry) ? entry : await catchUp(entry)
    tokens.check()
    if (isAt(reached)) resolveRequests(reached)
    return reached
  }

  /** After a gap, reloads the log or requests a snapshot. */
  async function catchUp(entry: StoredEntry): Promise<StoredEntry> {
    const found = await readReplicationLog(stream)
    if (found === undefined) await stream.request('whole')
    else await host.adopt(found.all)
    return found?.last ?? entry
  }

  function resolveRequests({ ageMs = 0, asked = '' }: StoredEntry): void {
    checkedAt = Date.now() - ageMs
    answered = asked
    const done = waiting.filter(({ id }) => hasReached(id, answered))
    waiting = waiting.filter(({ id }) => !hasReached(id, answered))
    for (const { answer } of done) answer()
  }

  async function listen(from: StoredEntry): Promise<void> {
    let last = from
    let waitMs = lockMs / 2
    while (!isOver()) {
      const entries = await stream.nextEntries(last.id, waitMs)
      const leftMs = entries.length > 0 ? lockMs : await stream.leaseMs()
      if (leftMs === 0) return
      // A silent leader may still live; the lease tells when another may follow.
      waitMs = Math.min(lockMs / 2, leftMs + 1)
      for (const entry of entries) {
        if (entry.hash === undefined) return
        if (!hasReached(entry.id, last.id)) last = await follow(entry)
      }
    }
  }

  async function begin(): Promise<void> {
    const last = await joinCluster(host, stream)
    if (isAt(last)) resolveRequests(last)
    listen(last).then(end, fail)
  }

  return {
    title: 'another host reads the chain',
    begun: begin().catch(fail),
    over: over.finally(() => {
      for (const { answer } of waiting) answer()
      tokens.stop()
    }),
    async refresh() {
      const id = await stream.request('refresh').catch(fail)
      if (id === undefined || isOver()) return false
      if (hasReached(id, answered)) return true
      return new Promise((resolve, reject) => {
        const late = () => reject(new Error('The host that reads the chain does not answer.'))
        const timer = setTimeout(late, patienceMs)
        const answer = () => {
          clearTimeout(timer)
          resolve(!isOver())
        }
        waiting.push({ id, answer })
      })
    },
    findTokens: async (wants) => (isOver() ? undefined : tokens.find(wants)),
    touch: tokens.touch,
    // Entries tell the age of the leader's last check: its interval and the replication lag.
    checked: () => ({ at: checkedAt, everyMs: Math.max(lockMs / 3, host.schedule?.everyMs() ?? 0) }),
    stop: end,
  }
}
