import { t } from '../../../../i18n/translate.ts'
import type { Plan } from '../../../../state/swap/swapFlow.ts'
import { formatSymbol } from '../../../format/address.ts'
import { formatInteger } from '../../../format/numbers.ts'
import { usePair } from '../../../tokens/useTokens.ts'
import { isSiteMinimum } from '../requote.ts'

/** Explains that the site's minimum blocks the new price. */
export function SiteMinimum({ plan, returns }: { plan: Plan; returns: bigint | undefined }) {
  const pair = usePair(plan.trade)
  if (pair === undefined || !isSiteMinimum(plan, returns)) return null
  const { buy } = pair
  return (
    <p>
      {t('The site requires at least {amount}. Editing the swap removes this requirement.', {
        amount: `${formatInteger(plan.request?.floor ?? 0n, buy.decimals)} ${formatSymbol(buy)}`,
      })}
    </p>
  )
}
