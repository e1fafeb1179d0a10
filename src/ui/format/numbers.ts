import { formatExact } from '../../domain/token/amount.ts'
import { spokenLocale } from '../../language/translate.ts'

const significant = 6
const mostPlaces = 8
const mostWholeDigits = 15

/** `en` writes 1,234.5 and `de` writes 1.234,5. */
export function decimalMark(locale = spokenLocale()): '.' | ',' {
  return (1.5).toLocaleString(locale).includes(',') ? ',' : '.'
}

/**
 * `amount` for the eye: about six digits, the whole part never shortened, rounded down, never through a float. What is too
 * small to show is "<0.00000001", what is too long becomes 1.23456e20.
 */
export function formatAmount(amount: bigint, decimals: number, locale = spokenLocale()): string {
  const [whole = '0', fraction = ''] = formatExact(amount, decimals).split('.')
  const mark = decimalMark(locale)
  if (whole.length > mostWholeDigits) {
    const digits = whole.slice(1, significant).replace(/0+$/, '')
    return `${whole[0]}${digits && mark + digits}e${whole.length - 1}`
  }
  const shown = shorten(whole, fraction)
  if (whole === '0' && shown === '' && amount > 0n) return `<0${mark}${'0'.repeat(mostPlaces - 1)}1`
  return group(whole, locale) + (shown === '' ? '' : mark + shown)
}

/** Every digit of `amount`, grouped. */
export function formatWhole(amount: bigint, decimals: number, locale = spokenLocale()): string {
  const [whole = '0', fraction] = formatExact(amount, decimals).split('.')
  return group(whole, locale) + (fraction === undefined ? '' : decimalMark(locale) + fraction)
}

type Side = { amount: bigint; decimals: number }

/** How much of `other` one whole unit of `one` is. */
export function formatRate(one: Side, other: Side, locale = spokenLocale()): string {
  if (one.amount === 0n) return '0'
  const places = 18
  const rate =
    (other.amount * 10n ** BigInt(one.decimals + places)) / (one.amount * 10n ** BigInt(other.decimals))
  return formatAmount(rate, places, locale)
}

/** 50 is "0.5%". */
export function formatPercent(bps: number, locale = spokenLocale()): string {
  return (bps / 10_000).toLocaleString(locale, { style: 'percent', maximumFractionDigits: 2 })
}

function shorten(whole: string, fraction: string): string {
  const zeros = whole === '0' ? (fraction.match(/^0*/)?.[0].length ?? 0) : 0
  const places = whole === '0' ? zeros + significant : Math.max(2, significant - whole.length)
  return fraction.slice(0, Math.min(places, mostPlaces)).replace(/0+$/, '')
}

function group(whole: string, locale: string | undefined): string {
  return BigInt(whole).toLocaleString(locale)
}
