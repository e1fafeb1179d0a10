import type { FeeSpeed } from '../../domain/swap/swap.ts'
import { formatExact, parseAmount } from '../../domain/token/amount.ts'
import { roundDownToDigits } from '../../domain/token/significantDigits.ts'
import { t } from '../../i18n/translate.ts'
import { decimalMark } from '../format/numbers.ts'

type Fees = Exclude<FeeSpeed, string>

const places = 9

/** Limit of the max fee, as a multiple of the fast one. */
const maxFastMultiple = 10n

/** Formats wei as gwei with four significant digits, as it may be typed. */
export function formatGwei(wei: bigint, mark = decimalMark()): string {
  return formatExact(roundDownToDigits(wei, 4), places, mark)
}

/**
 * Parses gwei into fees, or returns a validation error per field. An empty priority fee becomes `usualTip`,
 * capped at the max fee.
 */
export function parseFees(
  typed: { most: string; tip: string },
  fast: Fees,
  mark = decimalMark(),
  usualTip?: bigint,
): Fees | { most?: string | undefined; tip?: string | undefined } {
  const limit = fast.maxFeePerGas * maxFastMultiple
  const most = parseAmount(typed.most, places, mark)
  const typedTip = parseAmount(typed.tip, places, mark)
  const usual = usualTip !== undefined && typeof most === 'bigint' && usualTip > most ? most : usualTip
  const tip = typedTip === 'empty' ? (usual ?? typedTip) : typedTip
  if (typeof most !== 'bigint' || typeof tip !== 'bigint') return { most: toFault(most), tip: toFault(tip) }
  if (most > limit) return { most: t('Max {amount} gwei', { amount: formatGwei(limit, mark) }) }
  if (most === 0n) return { most: t('Must be greater than 0') }
  if (tip > most) return { tip: t('Priority fee can’t exceed max fee') }
  return { maxFeePerGas: most, maxPriorityFeePerGas: tip }
}

/** Parses gwei into wei. Undefined if invalid. */
export function parseGwei(text: string, mark = decimalMark()): bigint | undefined {
  const amount = parseAmount(text, places, mark)
  return typeof amount === 'bigint' ? amount : undefined
}

function toFault(amount: ReturnType<typeof parseAmount>): string | undefined {
  if (amount === 'empty') return undefined
  if (amount === 'too-many-decimals') return t('Max 9 decimal places')
  return typeof amount === 'string' ? t('Enter a number, such as 1.5') : undefined
}
