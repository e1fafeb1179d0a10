import { vi } from 'vitest'

/** Sets timeouts of minutes for the calling file. Call before defining tests; `putBack.ts` resets them. */
export function slow(_why: string): void {
  vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })
}
