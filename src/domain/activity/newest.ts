import type { Activity } from './activity.ts'
import { type ActivityFilter, matches } from './activityFilter.ts'
import { isUnknown } from './isUnknown.ts'

const most = 3

/** Returns the newest few. Damaged records stay first, so only one is kept. */
export function selectNewest(entries: readonly Activity[], filter: ActivityFilter): Activity[] {
  const found = entries.filter((one) => matches(one, filter))
  return found.filter((one, index) => index === 0 || !isUnknown(one)).slice(0, most)
}
