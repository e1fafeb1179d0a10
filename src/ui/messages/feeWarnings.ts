import type { FeeDoubt } from '../../domain/network/feeLimits.ts'
import { roundUpToDigits } from '../../domain/token/significantDigits.ts'
import { t } from '../../i18n/translate.ts'
import { formatAmount } from '../format/numbers.ts'

/** Formats the fee with two digits, rounded up, so that small changes do not count. */
export function formatFeeWarning({ kind, fee }: FeeDoubt, coin: string): string {
  const amount = `${formatAmount(roundUpToDigits(fee, 2), 18)} ${coin}`
  switch (kind) {
    case 'more-than-moved':
      return t('The network fee may be up to {amount}, which is more than the amount being moved.', {
        amount,
      })
    case 'large-share':
      return t('The network fee may be up to {amount}, which is over 10% of the amount being moved.', {
        amount,
      })
    case 'large':
      return t('The network fee may be up to {amount}, which is unusually high for this network.', { amount })
    case 'tip':
      return t('The network fee may be up to {amount}: the priority fee is unusually high.', { amount })
  }
}
