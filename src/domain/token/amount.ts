import { plainDigits } from './plainDigits.ts'

/** Why a typed amount is not one. */
export type AmountError =
  | 'empty'
  | 'not-a-number'
  | 'abbreviated'
  | 'ambiguous-separator'
  | 'too-many-decimals'
  | 'too-large'

/** No amount of a token is larger (uint256). */
export const maxUint256 = 2n ** 256n - 1n

/**
 * Reads a typed amount in base units of a token with `decimals`, or answers the reason it cannot be read.
 * Digits may be of any script. White space sets groups of three apart and nothing else: "1 5" is not 15. A
 * single comma or dot is the decimal mark; both at once, or either twice, is refused rather than guessed
 * ("1,234.5"), and so is the one that is not `mark`, the decimal mark of the place, where it may set
 * thousands apart ("1,234"). "1.5k" and "2m" are refused as abbreviated.
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

/** `amount` in whole units with every digit kept and no trailing zeros: 1500000n at 6 decimals is "1.5", or with another `mark` "1,5". */
export function formatExact(amount: bigint, decimals: number, mark: '.' | ',' = '.'): string {
  const sign = amount < 0n ? '-' : ''
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return sign + (fraction === '' ? whole : `${whole}${mark}${fraction}`)
}
