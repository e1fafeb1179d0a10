import type { Activity } from './activity.ts'

/** It failed since another transaction has its number, in a block that may be taken back: then it is sent again. */
export function mayComeBack({ outcome, steps }: Pick<Activity, 'outcome' | 'steps'>): boolean {
  return outcome.status === 'failed' && steps.some(({ state, settled }) => state === 'replaced' && !settled)
}
