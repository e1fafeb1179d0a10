/** Returns a function from milliseconds since 1970 to the day in `timeZone` (IANA), as 2026-11-22. */
export function calendarAt(timeZone?: string): (ms: number) => string {
  // Swedish dates are ISO 8601.
  return new Intl.DateTimeFormat('sv-SE', { timeZone }).format
}
