export type RateLimiter = (name: string) => Promise<void>

type Deps = {
  /** Burst size, and refill per second. */
  perSecond: number
  /** Milliseconds. */
  now?(): number
  wait?(ms: number): Promise<void>
}

const maxNames = 1_000

/** Token bucket per name, stored as the time it refills. */
export function createRateLimiter({
  perSecond,
  now = () => performance.now(),
  wait = pause,
}: Deps): RateLimiter {
  const fullAt = new Map<string, number>()

  return async (name) => {
    const time = now()
    if (fullAt.size >= maxNames) dropFull(fullAt, time)
    const next = Math.max(fullAt.get(name) ?? 0, time) + 1_000 / perSecond
    fullAt.set(name, next)
    const waitMs = next - 1_000 - time
    if (waitMs > 0) await wait(waitMs)
  }
}

function dropFull(fullAt: Map<string, number>, time: number): void {
  for (const [name, at] of fullAt) if (at <= time) fullAt.delete(name)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
