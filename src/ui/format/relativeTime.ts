import { spokenLocale } from '../../i18n/translate.ts'

type Size = [unit: Intl.RelativeTimeFormatUnit, ms: number]
const inMinutes: Size = ['minute', 60_000]
const inSeconds: Size = ['second', 1_000]
const sizes: Size[] = [['day', 24 * 60 * 60_000], ['hour', 60 * 60_000], inMinutes]

/** Formats "3 hours ago", from minutes on. */
export function formatAgo(ms: number): string {
  return sayAgo(ms, inMinutes)
}

/** Formats like `formatAgo`, with seconds. */
export function formatSecondsAgo(ms: number): string {
  return sayAgo(Math.max(0, ms), inSeconds)
}

function sayAgo(ms: number, least: Size): string {
  const [unit, size] = sizes.find(([, size]) => ms >= size) ?? least
  return new Intl.RelativeTimeFormat(spokenLocale()).format(-Math.floor(ms / size), unit)
}
