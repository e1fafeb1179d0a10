import { type CountedAs, widening } from './clients.ts'

export type RateLimiter = {
  /**
   * Takes `cost` (0 only checks) from each bucket; if one is empty, returns the milliseconds until a retry
   * instead.
   */
  take(client: CountedAs, cost?: 0 | 1): Promise<number | undefined>
}

/** Ratio of a network's bucket to the next narrower one. */
export const rateFactor = 4

export type Rate = {
  perSecond: number
  burst: number
}

/** Allows typing errors, prevents guessing. */
export const wrongKeyRate: Rate = { perSecond: 0.1, burst: 10 }

type Bucket = { left: number; at: number }

/** Creates token buckets in memory. Over `most`, the least recently used are dropped; full ones always. */
export function createRateLimiter(
  { perSecond, burst }: Rate,
  { now = () => performance.now(), most = 100_000 } = {},
): RateLimiter {
  const buckets = new Map<string, Bucket>()
  const refillMs = (burst / perSecond) * 1_000

  function forget(at: number): void {
    for (const [name, bucket] of buckets) {
      if (buckets.size <= most && at - bucket.at < refillMs) return
      buckets.delete(name)
    }
  }

  function leftOf(name: string, position: number, at: number): number {
    const size = widening(burst, rateFactor, position)
    const bucket = buckets.get(name)
    if (bucket === undefined) return size
    return Math.min(
      size,
      bucket.left + ((at - bucket.at) / 1_000) * widening(perSecond, rateFactor, position),
    )
  }

  return {
    async take(client, cost = 1) {
      const at = now()
      const found = client.map((name, i) => ({ name, left: leftOf(name, i, at) }))
      const waits = found.map(({ left }, i) => ((1 - left) / widening(perSecond, rateFactor, i)) * 1_000)
      const waitMs = Math.max(0, ...waits)
      const taken = waitMs > 0 ? 0 : cost
      for (const { name, left } of found) {
        buckets.delete(name)
        buckets.set(name, { left: left - taken, at })
      }
      forget(at)
      return waitMs > 0 ? waitMs : undefined
    },
  }
}
