/**
 * Days as a calendar has them at `timeZone` (IANA; where the user is unless given): answers for a moment, in milliseconds since 1970, its
 * day as ISO 8601 writes it, such as 2026-11-22.
 */
export function calendarAt(timeZone?: string): (ms: number) => string {
  // Sweden writes dates as ISO 8601 does.
  return new Intl.DateTimeFormat('sv-SE', { timeZone }).format
}
