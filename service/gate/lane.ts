import { ServiceError } from '../errors.ts'

export type LaneLimits = {
  /** How many are worked on at once. */
  atOnce: number
  /** How many more may wait. */
  waiting: number
}

/** A line in which work waits for its turn. */
export type Lane = {
  /** Throws BUSY when the line is full, and what `signal` says when that comes before the turn. */
  run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result>
  running(): number
  waiting(): number
}

/**
 * First come, first served. A route search holds the whole process up, so one turn of the event loop begins one piece of work: in
 * between, sockets are read, and those who find the line full hear it at once.
 */
export function createLane({ atOnce, waiting }: LaneLimits): Lane {
  const line = new Set<() => void>()
  let running = 0
  let hasBegun = false

  const isFree = () => !hasBegun && running < atOnce

  function begin(): void {
    running++
    hasBegun = true
    setImmediate(() => {
      hasBegun = false
      callNext()
    })
  }

  function end(): void {
    running--
    callNext()
  }

  function callNext(): void {
    const [call] = line
    if (call === undefined || !isFree()) return
    line.delete(call)
    begin()
    call()
  }

  /** Resolves when it is one's turn, which has then begun. */
  function turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const call = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        line.delete(call)
        reject(signal.reason)
      }
      line.add(call)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  return {
    async run(signal, work) {
      signal.throwIfAborted()
      if (isFree()) begin()
      else if (line.size < waiting) await turn(signal)
      else throw new ServiceError('BUSY', 'too many requests are waiting', null, { retryMs: 1_000 })
      return work().finally(end)
    },
    running: () => running,
    waiting: () => line.size,
  }
}
