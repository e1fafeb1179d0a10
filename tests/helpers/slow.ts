import { vi } from 'vitest'

/** Call before defining tests; `restoreGlobals.ts` resets it. */
export function slow(_why: string): void {
  vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })
}
