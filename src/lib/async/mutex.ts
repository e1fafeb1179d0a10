import { createQueue } from './queue.ts'

/** Mutex per key. */
export function createKeyedMutex() {
  const queues = new Map<string, ReturnType<typeof createQueue>>()
  return <T>(name: string, task: () => Promise<T>): Promise<T> => {
    const queue = queues.get(name) ?? createQueue()
    queues.set(name, queue)
    return queue(task)
  }
}
