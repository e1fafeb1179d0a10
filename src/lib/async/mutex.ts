import { createQueue } from './queue.ts'

/** A queue for each name: of tasks with one name, one at a time. */
export function createKeyedMutex() {
  const queues = new Map<string, ReturnType<typeof createQueue>>()
  return <T>(name: string, task: () => Promise<T>): Promise<T> => {
    const queue = queues.get(name) ?? createQueue()
    queues.set(name, queue)
    return queue(task)
  }
}
