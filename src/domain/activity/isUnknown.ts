import type { Activity } from './activity.ts'

/** Its record was damaged: what became of it nobody here knows, and it may have happened. */
export function isUnknown({ outcome }: Pick<Activity, 'outcome'>): boolean {
  return outcome.status === 'failed' && outcome.code === 'record-damaged'
}
