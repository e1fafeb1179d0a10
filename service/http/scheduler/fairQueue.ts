import { ServiceError } from '../../errors.ts'
import { type CountedAs, widening } from '../clients.ts'
import { createFairOrder, shareFactor } from './fairOrder.ts'

export type QueueLimits = {
  atOnce: number
  waiting: number
}

export type Client = { asker: CountedAs; signal: AbortSignal }

export type FairQueue = {
  /** Throws BUSY when the queue or the client's share is full, or the signal's reason. */
  run<Result>(asker: Client, work: () => Promise<Result>): Promise<Result>
  running(): number
  waiting(): number
}

/**
 * Creates a queue in fair order: a client gets at most a quarter of the places, a /48 at most half. A place
 * is freed when the work ends, even after a disconnect.
 */
export function createFairQueue(limits: QueueLimits): FairQueue {
  const line = createFairOrder<() => void>()
  const running = createFairSemaphore(limits.atOnce)
  const waiting = createFairSemaphore(limits.waiting)

  function end(asker: CountedAs): void {
    running.leave(asker)
    line.take(running.isFree)?.()
  }

  function wait({ asker, signal }: Client): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        line.remove(asker, begin)
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
      line.add(asker, begin)
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

/**
 * Creates a semaphore with a maximum share per client, by default a quarter for an address or /64, about a
 * third for a /56, half for a /48.
 */
export function createFairSemaphore(most: number, ofClient = most / 4) {
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
  const shareOf = (position: number) =>
    Math.ceil(Math.round(widening(4 * ofClient, shareFactor, position)) / 4)

  return {
    isFree: (client: CountedAs) => taken < most && client.every((name, i) => countOf(name) < shareOf(i)),
    exhausted: (client: CountedAs) => client.find((name, i) => countOf(name) >= shareOf(i)),
    take: (client: CountedAs) => count(client, 1),
    leave: (client: CountedAs) => count(client, -1),
    countOf,
    taken: () => taken,
  }
}
