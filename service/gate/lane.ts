import { ServiceError } from '../errors.ts'

export type LaneLimits = {
  /** How many are worked on at once. */
  atOnce: number
  /** How many more may wait. */
  waiting: number
}

/** Who asks: under which name that is counted, and when they have gone. */
export type Asker = { asker: string; signal: AbortSignal }

/** A line in which work waits for its turn. */
export type Lane = {
  /** Throws BUSY when the line, or the asker's share of it, is full, and what `signal` says when that comes before the turn. */
  run<Result>(asker: Asker, work: () => Promise<Result>): Promise<Result>
  running(): number
  waiting(): number
}

/**
 * First come, first served, but no asker has more than a quarter of the places: one who asks much keeps nobody else out. A place is
 * free again when its work has ended, whether or not anybody has waited for that.
 */
export function createLane(limits: LaneLimits): Lane {
  const line = new Set<{ asker: string; begin(): void }>()
  const running = createPlaces(limits.atOnce)
  const waiting = createPlaces(limits.waiting)

  function end(asker: string): void {
    running.leave(asker)
    const next = [...line].find((one) => running.isFree(one.asker))
    next?.begin()
  }

  /** Resolves when it is one's turn, which has then begun. */
  function wait({ asker, signal }: Asker): Promise<void> {
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

/** So many places, of which each asker may take a quarter. */
function createPlaces(most: number) {
  const share = Math.ceil(most / 4)
  const askers = new Map<string, number>()
  let taken = 0

  function count(asker: string, change: 1 | -1): void {
    taken += change
    const left = (askers.get(asker) ?? 0) + change
    if (left === 0) askers.delete(asker)
    else askers.set(asker, left)
  }

  return {
    isFree: (asker: string) => taken < most && (askers.get(asker) ?? 0) < share,
    take: (asker: string) => count(asker, 1),
    leave: (asker: string) => count(asker, -1),
    taken: () => taken,
  }
}
