import type { CountedAs } from '../clients.ts'
import { createFairOrder } from './fairOrder.ts'

/** Resolves when a search of `client` may start, with a function that ends the turn. */
export type SearchTurns = (client?: CountedAs) => Promise<() => void>

/**
 * Creates turns for searches, in fair order of their clients. `atOnce` run at once, and one starts per turn
 * of the event loop, so that I/O runs in between.
 */
export function createSearchTurns(atOnce = 1): SearchTurns {
  const waiting = createFairOrder<() => void>()
  let running = 0
  let hasStarted = false

  function startNext(): void {
    if (hasStarted || running >= atOnce) return
    const start = waiting.take()
    if (start === undefined) return
    running++
    hasStarted = true
    setImmediate(() => {
      hasStarted = false
      startNext()
    })
    start()
  }

  function end(): void {
    running--
    startNext()
  }

  return (client = ['']) =>
    new Promise((resolve) => {
      waiting.add(client, () => resolve(end))
      startNext()
    })
}
