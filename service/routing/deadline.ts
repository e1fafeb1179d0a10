/** A time limit for synchronous work. */
export type Deadline = {
  isDue(): boolean
  /** True if `isDue` ever returned true. */
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
