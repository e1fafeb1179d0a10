import { type CurrencyRate, dollars, toUnits } from '../../domain/value/currency.ts'
import type { TokenPrice } from '../../domain/value/price.ts'
import { spokenLocale } from '../../i18n/translate.ts'

/** From here on, without cents in `formatCompactValue`. */
const compactFrom = 1_000_000n

/**
 * Formats US dollars (eight decimals) in the rate's currency, rounded to its smallest unit: "$1,234.56",
 * "<$0.01" for less than one unit. Without floats.
 */
export function formatValue(usd: bigint, rate: CurrencyRate = dollars, locale = spokenLocale()): string {
  const format = createFormat(rate, locale)
  const places = format.resolvedOptions().maximumFractionDigits ?? 2
  const size = usd < 0n ? -usd : usd
  const units = toUnits(size, rate, places)
  if (units === 0n && size > 0n) return `<${shortSign(format.format(toDecimal(1n, places)))}`
  return shortSign(format.format(toDecimal(usd < 0n ? -units : units, places)))
}

/** Formats the value of base units, rounded up to the smallest unit: a maximum is never below its amount. */
export function formatMaxValue(
  amount: bigint,
  { usd, per }: Pick<TokenPrice, 'usd' | 'per'>,
  rate: CurrencyRate = dollars,
  locale = spokenLocale(),
): string {
  const format = createFormat(rate, locale)
  const places = format.resolvedOptions().maximumFractionDigits ?? 2
  const divisor = per * rate.usd
  const units = (amount * usd * 10n ** BigInt(places) + divisor - 1n) / divisor
  return shortSign(format.format(toDecimal(units, places)))
}

/** Formats like `formatValue`, but "$1.23M" from a million on. */
export function formatCompactValue(
  usd: bigint,
  rate: CurrencyRate = dollars,
  locale = spokenLocale(),
): string {
  const whole = toUnits(usd < 0n ? -usd : usd, rate, 0)
  if (whole < compactFrom) return formatValue(usd, rate, locale)
  const format = createFormat(rate, locale, { notation: 'compact', maximumFractionDigits: 2 })
  return shortSign(format.format(usd < 0n ? -whole : whole))
}

/** Returns the sign, "$", and the decimals of the smallest unit. */
export function toTypedCurrency(
  rate: CurrencyRate,
  locale = spokenLocale(),
): { sign: string; decimals: number } {
  const format = createFormat(rate, locale)
  return {
    sign: shortSign(format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? rate.currency),
    decimals: format.resolvedOptions().maximumFractionDigits ?? 2,
  }
}

/** Formats the price of one token with its first four digits, of a cheap one too: "$0.00001234". */
export function formatPrice(usd: bigint, rate: CurrencyRate = dollars, locale = spokenLocale()): string {
  if (usd >= dollars.usd) return formatValue(usd, rate, locale)
  const units = (usd * dollars.usd + rate.usd / 2n) / rate.usd
  if (units === 0n) return formatValue(usd, rate, locale)
  const options = { maximumFractionDigits: 8, maximumSignificantDigits: 4 }
  return shortSign(createFormat(rate, locale, options).format(toDecimal(units, 8)))
}

/** Arabic writes "US$", whose letters and sign right-to-left text tears apart. */
function shortSign(text: string): string {
  return text.replace(/[A-Z]{2}(?=[$£¥])/, '')
}

function toDecimal(units: bigint, places: number): Intl.StringNumericLiteral {
  const digits = `${units < 0n ? -units : units}`.padStart(places + 1, '0')
  const at = digits.length - places
  const text = places === 0 ? digits : `${digits.slice(0, at)}.${digits.slice(at)}`
  return `${units < 0n ? '-' : ''}${text}` as Intl.StringNumericLiteral
}

function createFormat(
  { currency }: CurrencyRate,
  locale: string | undefined,
  options: Intl.NumberFormatOptions = {},
): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    ...options,
  })
}
