import { createDeferred } from './deferred.ts'
import { type ClusterNode, joinCluster, type Role, readReplicationLog } from './election.ts'
import { hasReached, type ReplicationLog, type StoredEntry } from './redisStream.ts'

/** Creates the follower role; ends when the leader is gone or silent. */
export function createFollower(
  host: ClusterNode,
  board: ReplicationLog,
  lockMs: number,
  patienceMs: number,
): Role {
  const { over, isOver, end, fail } = createDeferred()
  let checkedAt: number | undefined
  let answered = ''
  let waiting: { id: string; answer: () => void }[] = []

  const isAt = ({ hash }: StoredEntry) => hash !== undefined && hash === host.ledger.block()?.hash

  /** Returns the entry to continue after. */
  async function heed(note: StoredEntry): Promise<StoredEntry> {
    const { update } = note
    if (update !== undefined && update.after === host.ledger.block()?.hash) await host.adopt(update)
    const reached = isAt(note) ? note : await catchUp(note)
    if (isAt(reached)) resolveRequests(reached)
    return reached
  }

  /** After a gap, reloads the log or requests a snapshot. */
  async function catchUp(note: StoredEntry): Promise<StoredEntry> {
    const found = await readReplicationLog(board)
    if (found === undefined) await board.ask('whole')
    else await host.adopt(found.all)
    return found?.last ?? note
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
    while (!isOver()) {
      const notes = await board.nextNotes(last.id, lockMs / 2)
      if (notes.length === 0) return
      for (const note of notes) {
        if (note.hash === undefined) return
        if (!hasReached(note.id, last.id)) last = await heed(note)
      }
    }
  }

  async function begin(): Promise<void> {
    const last = await joinCluster(host, board)
    if (isAt(last)) resolveRequests(last)
    listen(last).then(end, fail)
  }

  return {
    title: 'another host reads the chain',
    begun: begin().catch(fail),
    over: over.finally(() => {
      for (const { answer } of waiting) answer()
    }),
    async refresh() {
      const id = await board.ask('refresh').catch(fail)
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
    // Heartbeats tell the age of the leader's last check.
    checked: () => ({ at: checkedAt, everyMs: Math.max(lockMs / 3, host.schedule?.everyMs() ?? 0) }),
    stop: end,
  }
}
