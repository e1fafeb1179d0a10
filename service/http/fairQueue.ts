import { ServiceError } from '../errors.ts'
import { type CountedAs, widening } from './clients.ts'

export type QueueLimits = {
  /** How many are worked on at once. */
  atOnce: number
  /** How many more may wait. */
  waiting: number
}

/** A client: the names under which it is counted, and a signal that aborts when it has gone. */
export type Client = { asker: CountedAs; signal: AbortSignal }

/** A line in which work waits for its turn. */
export type FairQueue = {
  /** Throws BUSY when the line, or the asker's share of it, is full, and what `signal` says when that comes before the turn. */
  run<Result>(asker: Client, work: () => Promise<Result>): Promise<Result>
  running(): number
  waiting(): number
}

/**
 * First come, first served, but no asker has more than a quarter of the places, and no wide IPv6 network more than half: one
 * client that asks much keeps no other out. A place is free again when its work has ended, whether or not anybody has waited for that.
 */
export function createFairQueue(limits: QueueLimits): FairQueue {
  const line = new Set<{ asker: CountedAs; begin(): void }>()
  const running = createFairSemaphore(limits.atOnce)
  const waiting = createFairSemaphore(limits.waiting)

  function end(asker: CountedAs): void {
    running.leave(asker)
    const next = [...line].find((one) => running.isFree(one.asker))
    next?.begin()
  }

  /** Resolves when it is one's turn, which has then begun. */
  function wait({ asker, signal }: Client): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        line.delete(one)
        waiting.leave(asker)
        signal.removeEventListener('abort', giveUp)
      }
      const giveUp = () => {
        leave()
        reject(signal.reason)
      }
      const begin = () => {
        leave()
        running.take(asker)
        resolve()
      }
      const one = { asker, begin }
      line.add(one)
      waiting.take(asker)
      signal.addEventListener('abort', giveUp)
    })
  }

  return {
    async run(one, work) {
      one.signal.throwIfAborted()
      if (running.isFree(one.asker)) running.take(one.asker)
      else if (waiting.isFree(one.asker)) await wait(one)
      else throw new ServiceError('BUSY', 'too many requests are waiting', null, { retryMs: 1_000 })
      return work().finally(() => end(one.asker))
    },
    running: running.taken,
    waiting: waiting.taken,
  }
}

/** The share of a wider network against that of the next narrower one: a quarter, about a third, a half. */
const shareFactor = Math.SQRT2

/** Semaphore whose places are shared among clients. Also counts connections. */
export function createFairSemaphore(most: number) {
  const counts = new Map<string, number>()
  let taken = 0

  function count(client: CountedAs, change: 1 | -1): void {
    taken += change
    for (const name of client) {
      const left = countOf(name) + change
      if (left === 0) counts.delete(name)
      else counts.set(name, left)
    }
  }

  const countOf = (name: string) => counts.get(name) ?? 0
  const shareOf = (position: number) => Math.ceil(Math.round(widening(most, shareFactor, position)) / 4)

  return {
    isFree: (client: CountedAs) => taken < most && client.every((name, i) => countOf(name) < shareOf(i)),
    /** The first of the client's names that has its whole share. */
    exhausted: (client: CountedAs) => client.find((name, i) => countOf(name) >= shareOf(i)),
    take: (client: CountedAs) => count(client, 1),
    leave: (client: CountedAs) => count(client, -1),
    countOf,
    taken: () => taken,
  }
}
