import { createMutex } from './queue.ts'

/** Mutex per key. */
export function createKeyedMutex() {
  const queues = new Map<string, ReturnType<typeof createMutex>>()
  return <T>(name: string, task: () => Promise<T>): Promise<T> => {
    const queue = queues.get(name) ?? createMutex()
    queues.set(name, queue)
    return queue(task)
  }
}
