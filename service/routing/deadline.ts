/** A limit of time for work that never waits, and so could not be told. */
export type Stop = {
  /** Whether the time is over. */
  isDue(): boolean
  /** Whether that was ever answered with yes. */
  wasHeeded(): boolean
}

export function stopAfter(ms: number): Stop {
  const end = performance.now() + ms
  let heeded = false
  return {
    isDue() {
      heeded ||= performance.now() >= end
      return heeded
    },
    wasHeeded: () => heeded,
  }
}
