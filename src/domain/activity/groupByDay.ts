import { calendarAt } from '../calendar.ts'
import type { Activity } from './activity.ts'

/** Groups by calendar day (2026-11-22) in `timeZone` (IANA), in order; '' without a time. */
export function groupByDay(
  entries: readonly Activity[],
  timeZone: string,
): { day: string; entries: Activity[] }[] {
  const dayOf = calendarAt(timeZone)
  const days = new Map<string, Activity[]>()
  for (const one of entries) {
    const day = one.createdAt === 0 ? '' : dayOf(one.createdAt)
    days.set(day, [...(days.get(day) ?? []), one])
  }
  return [...days].map(([day, entries]) => ({ day, entries }))
}
