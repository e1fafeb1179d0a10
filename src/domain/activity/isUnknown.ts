import type { Activity } from './activity.ts'
import { getChainId } from './intent.ts'

/** Its record was damaged: what became of it nobody here knows, and it may have happened. */
export function isUnknown({ outcome }: Pick<Activity, 'outcome'>): boolean {
  return outcome.status === 'failed' && outcome.code === 'record-damaged'
}

/** Not even whose it was, where, and what could be read. */
export function isUnreadable(one: Activity): boolean {
  return isUnknown(one) && getChainId(one.intent) === 0
}
