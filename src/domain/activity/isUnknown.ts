import type { Activity } from './activity.ts'
import { getChainId } from './intent.ts'

/** True for a damaged record, whose outcome is unknown. */
export function isUnknown({ outcome }: Pick<Activity, 'outcome'>): boolean {
  return outcome.status === 'failed' && outcome.code === 'record-damaged'
}

/** True if account and network are lost too. */
export function isUnreadable(one: Activity): boolean {
  return isUnknown(one) && getChainId(one.intent) === 0
}
