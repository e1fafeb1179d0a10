/** Time as the stores see it: a test hands in another one. */
export type Clock = {
  /** Milliseconds that only ever grow, so that setting the machine's clock never makes an old quote young. */
  now(): number
  /** Runs `action` once after `ms`. Answers the way to call it off. */
  after(ms: number, action: () => void): () => void
}

export function systemClock(): Clock {
  return {
    now: () => performance.now(),
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
