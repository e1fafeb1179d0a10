import type { WindowKind } from '../../state/stores.ts'

/** Returns the number of steps. The approval window skips network setup. */
export function onboardingSteps(purpose: WindowKind): { create: number; bring: number } {
  return purpose === 'form' ? { create: 4, bring: 3 } : { create: 3, bring: 2 }
}
