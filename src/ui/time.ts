const minute = 60
const units: [string, number][] = [
  ['year', 365 * 24 * 60 * minute],
  ['day', 24 * 60 * minute],
  ['hour', 60 * minute],
  ['minute', minute],
]
const forEverYears = 100

/** Milliseconds since 1970 as a date and a time of the day. */
export function formatMoment(ms: number): string {
  return new Date(ms).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
}

/** How long something stays in force, roughly: `until` in seconds since 1970, `now` in milliseconds. */
export function formatUntil(until: bigint, now: number): string {
  const left = until - BigInt(Math.floor(now / 1_000))
  if (left <= 0n) return 'over already'
  const found = units.find(([, seconds]) => left >= BigInt(seconds))
  if (found === undefined) return 'for less than a minute'
  const [unit, seconds] = found
  const count = left / BigInt(seconds)
  if (unit === 'year' && count >= forEverYears) return 'for ever'
  return `for ${count} ${unit}${count === 1n ? '' : 's'}`
}
