import { vi } from 'vitest'

/** Lets the tests of the calling file, which says why, take minutes. Called before they are defined; `putBack.ts` ends it. */
export function slow(_why: string): void {
  vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })
}
