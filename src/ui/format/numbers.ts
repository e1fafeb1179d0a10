import { formatExact } from '../../domain/token/amount.ts'
import { isNative, type Token } from '../../domain/token/token.ts'
import { spokenLocale, t } from '../../i18n/translate.ts'
import { formatSymbol } from './address.ts'

const significant = 6
const maxPlaces = 8
const maxWholeDigits = 15
const compactDigits = 7

/** Returns the locale's decimal mark: 1,234.5 in `en`, 1.234,5 in `de`. */
export function decimalMark(locale = spokenLocale()): '.' | ',' {
  return (1.5).toLocaleString(locale).includes(',') ? ',' : '.'
}

/**
 * Formats about six digits, rounded down, without floats. The whole part is complete, tiny amounts are
 * "<0.00000001", huge ones "1.23456e20".
 */
export function formatAmount(amount: bigint, decimals: number, locale = spokenLocale()): string {
  const [whole = '0', fraction = ''] = formatExact(amount, decimals).split('.')
  const mark = decimalMark(locale)
  if (whole.length > maxWholeDigits) {
    const digits = whole.slice(1, significant).replace(/0+$/, '')
    return `${whole[0]}${digits && mark + digits}e${whole.length - 1}`
  }
  const shown = shorten(whole, fraction)
  if (whole === '0' && shown === '' && amount > 0n) return `<0${mark}${'0'.repeat(maxPlaces - 1)}1`
  return group(whole, locale) + (shown === '' ? '' : mark + shown)
}

/** Formats like `formatAmount`, but "1.23M" from a million on. */
export function formatCompact(amount: bigint, decimals: number, locale = spokenLocale()): string {
  const whole = amount / 10n ** BigInt(decimals)
  const digits = String(whole).length
  if (digits < compactDigits || digits > maxWholeDigits) return formatAmount(amount, decimals, locale)
  const options = { notation: 'compact', maximumFractionDigits: 2, roundingMode: 'floor' } as const
  return new Intl.NumberFormat(locale, options).format(whole)
}

/** Formats every digit, grouped. */
export function formatInteger(amount: bigint, decimals: number, locale = spokenLocale()): string {
  const [whole = '0', fraction] = formatExact(amount, decimals).split('.')
  return group(whole, locale) + (fraction === undefined ? '' : decimalMark(locale) + fraction)
}

type Unit = Pick<Token, 'address' | 'symbol' | 'decimals'>

/** Formats with symbol; tiny native amounts are in wei. */
export function formatWithSymbol(amount: bigint, token: Unit, isExact: boolean): string {
  const { address, decimals } = token
  const isTiny = amount > 0n && amount * 10n ** BigInt(maxPlaces) < 10n ** BigInt(decimals)
  if (isTiny && isNative(address)) return t('{amount} wei', { amount: formatInteger(amount, 0) })
  const write = isExact ? formatInteger : formatAmount
  return `${write(amount, decimals)} ${formatSymbol(token)}`
}

type Side = { amount: bigint; decimals: number }

/** Returns how much of `other` one unit of `one` is worth. */
export function formatRate(one: Side, other: Side, locale = spokenLocale()): string {
  if (one.amount === 0n) return '0'
  const places = 18
  const rate =
    (other.amount * 10n ** BigInt(one.decimals + places)) / (one.amount * 10n ** BigInt(other.decimals))
  return formatAmount(rate, places, locale)
}

/** Formats 50 as "0.5%". */
export function formatPercent(bps: number, locale = spokenLocale()): string {
  return (bps / 10_000).toLocaleString(locale, { style: 'percent', maximumFractionDigits: 2 })
}

/** Formats a part of a whole, 0 to 1: 0.5 as "50%", a tiny one as "<0.01%", and only the whole as "100%". */
export function formatShare(share: number, locale = spokenLocale()): string {
  const bps = Math.round(share * 10_000)
  if (bps < 1) return share > 0 ? `<${formatPercent(1, locale)}` : formatPercent(0, locale)
  // Floats: a sum of parts may miss the whole by their precision.
  return formatPercent(share < 1 - 1e-9 ? Math.min(bps, 9_999) : 10_000, locale)
}

function shorten(whole: string, fraction: string): string {
  const zeros = whole === '0' ? (fraction.match(/^0*/)?.[0].length ?? 0) : 0
  const places = whole === '0' ? zeros + significant : Math.max(2, significant - whole.length)
  return fraction.slice(0, Math.min(places, maxPlaces)).replace(/0+$/, '')
}

function group(whole: string, locale: string | undefined): string {
  return BigInt(whole).toLocaleString(locale)
}

/** Narrow no-break space, the SI group separator. */
const groupMark = '\u202f'

/** Groups the whole part of a typed amount by three, with a mark that no language reads as a decimal mark. */
export function groupTyped(text: string): string {
  const [, whole, rest] = typedForm.exec(text) ?? []
  if (whole === undefined) return text
  return whole.replace(/\B(?=(\d{3})+$)/g, groupMark) + (rest ?? '')
}

/** Groups a typed amount like a shown one, without changing its digits. */
export function groupShown(text: string, locale = spokenLocale()): string {
  const [, whole, rest = ''] = typedForm.exec(text) ?? []
  return whole === undefined ? text : group(whole, locale) + rest.replace(/^[.,]/, decimalMark(locale))
}

const typedForm = /^(\d{4,})([.,]\d*)?$/

/** Text with its caret in UTF-16 units. */
export type Typed = { text: string; caret: number }

/** Input event with the selection's start before it. */
export type Edit = { inputType?: string | undefined; start?: number | undefined }

/**
 * Removes the marks of `groupTyped(before)` from edited text. Inserted marks stay, so that wrong groups are
 * not read as numbers. Deleting a mark deletes the digit beside it (Input Events Level 2).
 */
export function readGrouped(
  { text, caret }: Typed,
  before: string,
  { inputType = '', start }: Edit = {},
): Typed {
  const shown = groupTyped(before)
  const isDeletion = inputType.startsWith('delete')
  // Only these insert between selection start and caret.
  const isPlaced = start !== undefined && ['insertText', 'insertFromPaste'].includes(inputType)
  const from = isDeletion ? caret : isPlaced ? Math.min(start, caret) : 0
  const [head, added, tail] = [text.slice(0, from), text.slice(from, caret), text.slice(caret)]
  const isKept = shown.startsWith(head) && shown.endsWith(tail) && head.length + tail.length <= shown.length
  if (shown === before || !isKept) return withoutGroups({ text, caret })
  const left = unmarked(head) + added
  const right = unmarked(tail)
  const deletes = oneKey.get(inputType)
  if (left + right !== before || deletes === undefined) {
    return withoutGroups({ text: left + right, caret: left.length })
  }
  if (text.length === shown.length) return { text: before, caret: left.length }
  if (deletes === 'forward') return { text: left + right.slice(1), caret: left.length }
  return { text: left.slice(0, -1) + right, caret: Math.max(0, left.length - 1) }
}

const oneKey: ReadonlyMap<string, 'backward' | 'forward'> = new Map([
  ['deleteContentBackward', 'backward'],
  ['deleteContentForward', 'forward'],
])

/** Removes the marks if all are where `groupTyped` puts them. */
function withoutGroups({ text, caret }: Typed): Typed {
  const plain = unmarked(text)
  return groupTyped(plain) === text
    ? { text: plain, caret: unmarked(text.slice(0, caret)).length }
    : { text, caret }
}

function unmarked(text: string): string {
  return text.replaceAll(groupMark, '')
}

/** Returns the caret in `groupTyped(text)`. */
export function caretInGroups({ text, caret }: Typed): number {
  const grouped = groupTyped(text)
  let at = 0
  for (let digits = 0; digits < caret && at < grouped.length; at++) if (grouped[at] !== groupMark) digits++
  return at
}
