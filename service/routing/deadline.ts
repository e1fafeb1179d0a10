/** A limit of time for work that never waits, and so could not be told. */
export type Deadline = {
  /** Whether the time is over. */
  isDue(): boolean
  /** Whether that was ever answered with yes. */
  wasHeeded(): boolean
}

export function createDeadline(ms: number): Deadline {
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
