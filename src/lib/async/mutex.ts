/** Runs tasks one at a time, in order, regardless of failures. */
export function createMutex(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const next = last.then(task)
    last = next.catch(() => undefined)
    return next
  }
}

/** Mutex per key. */
export function createKeyedMutex() {
  const queues = new Map<string, ReturnType<typeof createMutex>>()
  return <T>(name: string, task: () => Promise<T>): Promise<T> => {
    const queue = queues.get(name) ?? createMutex()
    queues.set(name, queue)
    return queue(task)
  }
}
