import type { Quote } from '../../domain/swap/quote.ts'
import { t } from '../../i18n/translate.ts'
import type { SwapFormState } from '../../state/swap/swapForm.ts'
import { formatSymbol } from './address.ts'
import { formatAmount } from './numbers.ts'

/** Formats the side of a quote that was not typed. */
export function formatPrice({ side, sell, buy }: SwapFormState, { trade, returns }: Quote): string {
  if (sell === undefined || buy === undefined) return ''
  return side === 'sell'
    ? t('You receive {amount}', {
        amount: `${formatAmount(returns, buy.decimals)} ${formatSymbol(buy)}`,
      })
    : t('You pay up to {amount}', {
        amount: `${formatAmount(trade.amount, sell.decimals)} ${formatSymbol(sell)}`,
      })
}
