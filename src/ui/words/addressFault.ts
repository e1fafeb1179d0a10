import { isMistyped } from '../../domain/address/checksum.ts'
import { parseAddress } from '../../domain/token/token.ts'
import { t } from '../../language/translate.ts'

/** Why what was typed names no address; nothing while the field is empty. */
export function faultOfAddress(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  if (parseAddress(trimmed) === undefined) return t('An address is 0x and 40 digits or letters a to f.')
  return isMistyped(trimmed) ? sayMistyped() : undefined
}

export function sayMistyped(): string {
  return t('Its capitals do not fit: a letter or digit is wrong.')
}
