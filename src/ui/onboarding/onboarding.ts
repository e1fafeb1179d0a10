import type { WindowKind } from '../../state/stores.ts'

/** How many screens it takes to begin. Who only answers a page's request names a service later. */
export function stepsFor(purpose: WindowKind): { create: number; bring: number } {
  return purpose === 'form' ? { create: 4, bring: 3 } : { create: 3, bring: 2 }
}
