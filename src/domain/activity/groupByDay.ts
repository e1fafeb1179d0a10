import { calendarAt } from '../calendar.ts'
import type { Activity } from './activity.ts'

/** The entries of one day, as a calendar at `timeZone` (IANA) has it: `day` is written 2026-11-22, and empty for what has no time. In the order they came. */
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
