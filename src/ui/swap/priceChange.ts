import type { Token } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import { formatSymbol } from '../format/address.ts'
import { formatAmount, formatPercent } from '../format/numbers.ts'

/** What a change of the route did to an amount: "−0.12%, 3.61 USDC less". */
export function formatChange(before: bigint, now: bigint, token: Token): string {
  const change = now - before
  if (change === 0n || before === 0n) return t('The price stays the same.')
  const size = change < 0n ? -change : change
  const hundredths = Number((size * 10_000n) / before)
  const amount = `${formatAmount(size, token.decimals)} ${formatSymbol(token)}`
  const percent = `${change < 0n ? '−' : '+'}${formatPercent(Math.max(1, hundredths))}`
  if (hundredths === 0) {
    return change < 0n
      ? t('less than {percent}, {amount} less', { percent, amount })
      : t('less than {percent}, {amount} more', { percent, amount })
  }
  return change < 0n
    ? t('{percent}, {amount} less', { percent, amount })
    : t('{percent}, {amount} more', { percent, amount })
}
