import { type CountedAs, widening } from './clients.ts'

/** Who may ask how often. */
export type Limiter = {
  /**
   * Returns undefined when each of the client's buckets has room, and takes `cost` requests from each: 1, or 0 to look only.
   * Otherwise takes nothing and returns the milliseconds until there is room.
   */
  take(client: CountedAs, cost?: 0 | 1): Promise<number | undefined>
}

/** A wider network's bucket holds, and is refilled by, this many times those of the next narrower one. */
export const rateFactor = 4

export type Rate = {
  perSecond: number
  /** How many may come at once after a pause. */
  burst: number
}

/** Wrong keys of one address: a person may mistype, a program may not guess. */
export const wrongKeyRate: Rate = { perSecond: 0.1, burst: 10 }

type Bucket = { left: number; at: number }

/**
 * Token bucket of `burst` requests per name, refilled by `perSecond`, in the memory of this process. It keeps at most `most`
 * buckets: the least recently used go first, and a bucket that is full again is like none.
 */
export function createLimiter(
  { perSecond, burst }: Rate,
  { now = () => performance.now(), most = 100_000 } = {},
): Limiter {
  // In the order of their last use.
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
