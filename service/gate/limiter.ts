/** Who may ask how often. */
export type Limiter = {
  /** Undefined when `asker` may ask now, which is counted; else after how many milliseconds it may. */
  take(asker: string): Promise<number | undefined>
}

export type Rate = {
  perSecond: number
  /** How many may come at once after a pause. */
  burst: number
}

type Bucket = { left: number; at: number }

/**
 * A bucket of `burst` requests for every asker, refilled by `perSecond`, in the memory of this process. It remembers at most `most`
 * askers: those that asked longest ago are forgotten first, and a bucket that is full again is like none.
 */
export function createLimiter(
  { perSecond, burst }: Rate,
  { now = () => performance.now(), most = 100_000 } = {},
): Limiter {
  // In the order of their last use.
  const buckets = new Map<string, Bucket>()
  const refillMs = (burst / perSecond) * 1_000

  function forget(at: number): void {
    for (const [asker, bucket] of buckets) {
      if (buckets.size <= most && at - bucket.at < refillMs) return
      buckets.delete(asker)
    }
  }

  return {
    async take(asker) {
      const at = now()
      const bucket = buckets.get(asker) ?? { left: burst, at }
      const left = Math.min(burst, bucket.left + ((at - bucket.at) / 1_000) * perSecond)
      const isAllowed = left >= 1
      buckets.delete(asker)
      buckets.set(asker, { left: isAllowed ? left - 1 : left, at })
      forget(at)
      return isAllowed ? undefined : ((1 - left) / perSecond) * 1_000
    },
  }
}
