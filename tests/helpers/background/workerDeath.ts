import type { Gate } from './worker.ts'

/**
 * Stops a worker after operation `last`, counted from 1: that one is performed but never answered. `stop`
 * does so at once.
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
