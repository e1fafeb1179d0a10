import type { Token } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import { formatSymbol } from '../format/address.ts'
import { formatAmount, formatPercent } from '../format/numbers.ts'

/** Formats "3.61 USDC less (−0.12%)". */
export function formatChange(before: bigint, now: bigint, token: Token): string {
  const change = now - before
  if (change === 0n || before === 0n) return t('Price unchanged')
  const size = change < 0n ? -change : change
  const hundredths = Number((size * 10_000n) / before)
  const amount = `${formatAmount(size, token.decimals)} ${formatSymbol(token)}`
  const sign = change < 0n ? '−' : '+'
  const percent = hundredths === 0 ? `<${formatPercent(1)}` : `${sign}${formatPercent(hundredths)}`
  return change < 0n
    ? t('{amount} less ({percent})', { percent, amount })
    : t('{amount} more ({percent})', { percent, amount })
}
