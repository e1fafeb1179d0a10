import { plural, spokenLocale, t } from '../../i18n/translate.ts'

const minute = 60
const year = 365 * 24 * 60 * minute
const units: [seconds: number, say: (count: number) => string][] = [
  [year, (count) => plural(count, '{count} year', '{count} years')],
  [24 * 60 * minute, (count) => plural(count, '{count} day', '{count} days')],
  [60 * minute, (count) => plural(count, '{count} hour', '{count} hours')],
  [minute, (count) => plural(count, '{count} minute', '{count} minutes')],
]
const forEverYears = 100

/** Formats a Unix time in milliseconds. */
export function formatMoment(ms: number): string {
  return new Date(ms).toLocaleString(spokenLocale(), { dateStyle: 'medium', timeStyle: 'short' })
}

export function formatTime(ms: number): string {
  return new Date(ms).toLocaleTimeString(spokenLocale(), { timeStyle: 'short' })
}

/** Returns the time for today, else the date. */
export function formatWhen(ms: number, now: number): string {
  const [then, today] = [new Date(ms), new Date(now)]
  if (then.toDateString() === today.toDateString()) return formatTime(ms)
  return then.toLocaleDateString(spokenLocale(), { day: 'numeric', month: 'short' })
}

/** Formats the remaining validity. `until` is in seconds, `now` in milliseconds. */
export function formatUntil(until: bigint, now: number): string {
  const left = until - BigInt(Math.floor(now / 1_000))
  if (left <= 0n) return t('Expired')
  if (left >= BigInt(forEverYears * year)) return t('No expiration')
  const found = units.find(([seconds]) => left >= BigInt(seconds))
  if (found === undefined) return t('Less than a minute')
  const [seconds, say] = found
  return say(Math.floor(Number(left) / seconds))
}
