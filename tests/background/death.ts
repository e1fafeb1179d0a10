import type { Gate } from './worker.ts'

/**
 * How the browser stops a worker: after the operation with number `last`, counted from 1. It is performed, and nobody hears the answer; what
 * the worker asks for afterwards never happens. `stop` does so at once.
 */
export function deathAfter(last: number) {
  let at = last
  let dead = false
  const operations: string[] = []
  const gate: Gate = async (operation, perform) => {
    operations.push(operation)
    const count = operations.length
    if (count > at) return never
    const result = await perform()
    dead ||= count === at
    return count < at ? result : never
  }
  const stop = () => {
    at = 0
    dead = true
  }
  return { gate, operations, isDead: () => dead, stop }
}

export const never = new Promise<never>(() => {})
