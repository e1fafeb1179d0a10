export type ConcurrencyLimiter = <T>(name: string, task: () => Promise<T>) => Promise<T>

/** Semaphore, in total and per name. */
export function createConcurrencyLimiter(most: { atOnce: number; ofOrigin: number }): ConcurrencyLimiter {
  const running = new Map<string, number>()
  let waiting: { name: string; begin(): void }[] = []
  let atOnce = 0

  function isFree(name: string): boolean {
    return atOnce < most.atOnce && (running.get(name) ?? 0) < most.ofOrigin
  }

  function count(name: string, by: 1 | -1): void {
    const now = (running.get(name) ?? 0) + by
    atOnce += by
    if (now > 0) running.set(name, now)
    else running.delete(name)
  }

  function next(): void {
    const free = waiting.filter(({ name }) => isFree(name))
    // Fewest running tasks first.
    const least = Math.min(...free.map(({ name }) => running.get(name) ?? 0))
    const first = free.find(({ name }) => (running.get(name) ?? 0) === least)
    if (first === undefined) return
    waiting = waiting.filter((one) => one !== first)
    count(first.name, 1)
    first.begin()
  }

  return async (name, task) => {
    await new Promise<void>((begin) => {
      waiting.push({ name, begin })
      next()
    })
    try {
      return await task()
    } finally {
      count(name, -1)
      next()
    }
  }
}
