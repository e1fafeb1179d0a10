type Refusals = {
  /** Returns true if the site's port must close. */
  count(origin: string): boolean
  /** True while no port of the site is served. */
  isShut(origin: string): boolean
  size(): number
}

/** The wallet's own relay stays far below. */
const abuse = { refusals: 100, withinMs: 10_000, closedMs: 5_000 }

/** Counts refused requests per origin. `now` in milliseconds. */
export function createRejectionLimit(now: () => number): Refusals {
  const byOrigin = new Map<string, { count: number; since: number; closedUntil: number }>()

  function forgetOld(): void {
    const time = now()
    for (const [origin, { since, closedUntil }] of byOrigin) {
      if (time - since >= abuse.withinMs && time >= closedUntil) byOrigin.delete(origin)
    }
  }

  return {
    count(origin) {
      forgetOld()
      const one = byOrigin.get(origin) ?? { count: 0, since: now(), closedUntil: 0 }
      byOrigin.set(origin, one)
      one.count += 1
      if (one.count <= abuse.refusals) return false
      one.closedUntil = now() + abuse.closedMs
      return true
    },
    isShut: (origin) => now() < (byOrigin.get(origin)?.closedUntil ?? 0),
    size: () => byOrigin.size,
  }
}
