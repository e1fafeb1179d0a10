import type { Activity } from './activity.ts'

/** True if its nonce was taken in a block that is not final: after a reorg it is sent again. */
export function mayComeBack({ outcome, steps }: Pick<Activity, 'outcome' | 'steps'>): boolean {
  return outcome.status === 'failed' && steps.some(({ state, settled }) => state === 'replaced' && !settled)
}
