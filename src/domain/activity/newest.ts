import type { Activity } from './activity.ts'
import { type ActivityFilter, matches } from './activityFilter.ts'
import { isUnknown } from './isUnknown.ts'

const most = 3

/** The last few of `entries`. Of damaged ones, which stay at the head for good, one is enough to say so: what is new comes below. */
export function selectNewest(entries: readonly Activity[], filter: ActivityFilter): Activity[] {
  const found = entries.filter((one) => matches(one, filter))
  return found.filter((one, index) => index === 0 || !isUnknown(one)).slice(0, most)
}
