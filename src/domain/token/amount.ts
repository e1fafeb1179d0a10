import { plainDigits } from './plainDigits.ts'

export type AmountError =
  | 'empty'
  | 'not-a-number'
  | 'abbreviated'
  | 'ambiguous-separator'
  | 'too-many-decimals'
  | 'too-large'

export const maxUint256 = 2n ** 256n - 1n

/**
 * Parses into base units, or returns the reason of failure. Accepts digits of any script and white space
 * between groups of three ("1 5" is not 15). Rejects two marks ("1,234.5"), possible thousands with a mark
 * other than the locale's `mark` ("1,234"), and abbreviations ("1.5k", "2m").
 */
export function parseAmount(text: string, decimals: number, mark?: '.' | ','): bigint | AmountError {
  const typed = plainDigits(text, mark)
  if (typed === '') return 'empty'
  if (/^[\d.,\s]*\d\s*(k|m|b|bn|mn|mm|t|tsd|mio|mrd)\.?$/i.test(typed)) return 'abbreviated'
  if (!/^[\d.,\s]+$/.test(typed) || !/\d/.test(typed)) return 'not-a-number'
  const marks = typed.match(/[.,]/g) ?? []
  if (marks.length > 1) return 'ambiguous-separator'
  if (mark && marks[0] !== mark && /^[1-9]\d{0,2}[.,]\d{3}$/.test(typed)) return 'ambiguous-separator'
  const [whole = '', fraction = ''] = typed.split(/[.,]/)
  if (!wholeForm.test(whole) || !fractionForm.test(fraction)) return 'not-a-number'
  const places = joined(fraction)
  if (places.length > decimals) return 'too-many-decimals'
  const amount = BigInt(joined(whole) + places.padEnd(decimals, '0'))
  return amount > maxUint256 ? 'too-large' : amount
}

const wholeForm = /^(\d*|[1-9]\d{0,2}(\s\d{3})+)$/
const fractionForm = /^(\d*|(\d{3}\s)+\d{1,3})$/

function joined(groups: string): string {
  return groups.replace(/\s/g, '')
}

/** Formats exactly, without trailing zeros: 1500000n at 6 decimals is "1.5". */
export function formatExact(amount: bigint, decimals: number, mark: '.' | ',' = '.'): string {
  const sign = amount < 0n ? '-' : ''
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return sign + (fraction === '' ? whole : `${whole}${mark}${fraction}`)
}

/** True for amounts that mean unlimited: the maxima of 96 (UNI, COMP), 128, 160 (Permit2) and 256 bits. */
export function isUnlimited(amount: bigint | 'all'): boolean {
  return amount === 'all' || amount >= 2n ** 128n - 1n || amount === 2n ** 96n - 1n
}
