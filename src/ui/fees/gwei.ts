import type { FeeSpeed } from '../../domain/swap/swap.ts'
import { formatExact, parseAmount } from '../../domain/token/amount.ts'
import { roundDownToDigits } from '../../domain/token/significantDigits.ts'
import { t } from '../../i18n/translate.ts'
import { decimalMark } from '../format/numbers.ts'

type Fees = Exclude<FeeSpeed, string>

const places = 9

/** No swap is in such a hurry: ten times what the fast ones pay. */
const mostTimesFast = 10n

/** Wei as gwei with every digit that counts, as it may be typed. `mark`: the decimal mark of the place. */
export function formatGwei(wei: bigint, mark = decimalMark()): string {
  return formatExact(roundDownToDigits(wei, 4), places, mark)
}

/**
 * Returns typed gwei as fees, or for each field the sentence that says why not; none while there is no max fee. An empty priority fee
 * is `usualTip`, which its field shows, as far as the max fee allows it.
 */
export function parseFees(
  typed: { most: string; tip: string },
  fast: Fees,
  mark = decimalMark(),
  usualTip?: bigint,
): Fees | { most?: string | undefined; tip?: string | undefined } {
  const limit = fast.maxFeePerGas * mostTimesFast
  const most = parseAmount(typed.most, places, mark)
  const typedTip = parseAmount(typed.tip, places, mark)
  const usual = usualTip !== undefined && typeof most === 'bigint' && usualTip > most ? most : usualTip
  const tip = typedTip === 'empty' ? (usual ?? typedTip) : typedTip
  if (typeof most !== 'bigint' || typeof tip !== 'bigint') return { most: faultOf(most), tip: faultOf(tip) }
  if (most > limit) return { most: t('Max {amount} gwei', { amount: formatGwei(limit, mark) }) }
  if (most === 0n) return { most: t('Must be greater than 0') }
  if (tip > most) return { tip: t('Priority fee can’t exceed max fee') }
  return { maxFeePerGas: most, maxPriorityFeePerGas: tip }
}

/** Typed gwei as wei; undefined for none. */
export function parseGwei(text: string, mark = decimalMark()): bigint | undefined {
  const amount = parseAmount(text, places, mark)
  return typeof amount === 'bigint' ? amount : undefined
}

function faultOf(amount: ReturnType<typeof parseAmount>): string | undefined {
  if (amount === 'empty') return undefined
  if (amount === 'too-many-decimals') return t('Max 9 decimal places')
  return typeof amount === 'string' ? t('Enter a number, such as 1.5') : undefined
}
