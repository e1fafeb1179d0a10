type Refusals = {
  /** Counts a request refused for its bytes. True when the site's port is to be closed. */
  count(origin: string): boolean
  /** True while no port of the site is served. */
  isShut(origin: string): boolean
  /** Number of origins in memory. */
  size(): number
}

/** More refusals than this within the time close the site's ports for a while. The wallet's own relay stays far below. */
const abuse = { refusals: 100, withinMs: 10_000, closedMs: 5_000 }

/** Counts refused requests by origin. An origin is forgotten once its time is over. `now` in milliseconds. */
export function createRejectionLimit(now: () => number): Refusals {
  const byOrigin = new Map<string, { count: number; since: number; closedUntil: number }>()

  /** Removes origins whose time is over, also of sites that never connect again. */
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
