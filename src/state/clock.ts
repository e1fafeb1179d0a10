export type Clock = {
  /** Monotonic milliseconds, including sleep, so that no old quote looks fresh. */
  now(): number
  /** Returns the cancel function. */
  after(ms: number, action: () => void): () => void
}

/** Smaller gaps are clock drift. */
const minSleepMs = 1_000

export function systemClock(): Clock {
  let [grown, wall, slept] = [performance.now(), Date.now(), 0]
  return {
    now() {
      const [grownNow, wallNow] = [performance.now(), Date.now()]
      // `performance.now()` stops during sleep in most browsers; a wall clock set back is ignored.
      const missed = wallNow - wall - (grownNow - grown)
      if (missed > minSleepMs) slept += missed
      grown = grownNow
      wall = wallNow
      return grown + slept
    },
    after(ms, action) {
      const timer = setTimeout(action, ms)
      return () => clearTimeout(timer)
    },
  }
}

/** Setting the timer cancels the previous action. */
export function createTimer(clock: Clock) {
  let cancel = () => {}
  return {
    set(ms: number, action: () => void) {
      cancel()
      cancel = clock.after(ms, action)
    },
    stop: () => cancel(),
  }
}
