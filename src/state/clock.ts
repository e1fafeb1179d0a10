/** Time as the stores see it: a test hands in another one. */
export type Clock = {
  /** Milliseconds that only ever grow, also while the machine sleeps, so that nothing makes an old quote young. */
  now(): number
  /** Runs `action` once after `ms`. Answers the way to call it off. */
  after(ms: number, action: () => void): () => void
}

/** Less than that is the two clocks' own difference. */
const leastSleepMs = 1_000

export function systemClock(): Clock {
  let [grown, wall, slept] = [performance.now(), Date.now(), 0]
  return {
    now() {
      const [grownNow, wallNow] = [performance.now(), Date.now()]
      // Where the machine slept the first stood still in most browsers. A clock that is set back counts for nothing.
      const missed = wallNow - wall - (grownNow - grown)
      if (missed > leastSleepMs) slept += missed
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

/** A place for one timer: setting it forgets the one before. */
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
