import type { CountedAs } from './clients.ts'

export type RetryTimes = {
  /** Counts a refusal; returns the milliseconds after which the client should retry. */
  afterRefusal(client: CountedAs, waitMs: number): number
}

/** In seconds of `Retry-After`, a minute. */
const maxMs = 60_000
/** Older refusals count half. */
const halfLifeMs = 10_000

/**
 * Creates retry times that grow with a client's own excess: `waitMs` after the first refusal, twice as long
 * after the second, and so on, as if earlier refused requests were retried first. At most a minute, or
 * `waitMs`.
 */
export function createRetryTimes({ now = () => performance.now(), most = 10_000 } = {}): RetryTimes {
  const refusals = new Map<string, { count: number; at: number }>()

  return {
    afterRefusal([name = ''], waitMs) {
      const at = now()
      const known = refusals.get(name)
      const count = known === undefined ? 0 : known.count * 2 ** ((known.at - at) / halfLifeMs)
      refusals.delete(name)
      refusals.set(name, { count: count + 1, at })
      const [oldest] = refusals.keys()
      if (refusals.size > most && oldest !== undefined) refusals.delete(oldest)
      return Math.min(Math.max(maxMs, waitMs), waitMs * (1 + count))
    },
  }
}
