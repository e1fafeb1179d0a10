import { checkPrice, type PriceCheck, warnAboveBps } from '../../../domain/swap/market.ts'
import type { Review } from '../../../domain/swap/swap.ts'
import type { Token } from '../../../domain/token/token.ts'
import { t } from '../../../i18n/translate.ts'
import { formatSymbol } from '../../format/address.ts'
import { formatAmount, formatPercent } from '../../format/numbers.ts'

export function toPriceCheck({ quote, floor, market }: Review): PriceCheck {
  return checkPrice(quote.returns, floor, market)
}

/** Formats "40% below market". Undefined near the market price. */
export function belowMarket(check: PriceCheck): string | undefined {
  if (check.status === 'unknown' || check.quotedBps <= warnAboveBps) return undefined
  return t('{percent} below market', { percent: formatPercent(check.quotedBps) })
}

/** Loss of the quote or, if only that is far below, of the minimum. */
export function formatMarketLoss({ quote, floor, market }: Review, buy: Token): string {
  const check = checkPrice(quote.returns, floor, market)
  const isQuoted = check.status !== 'far-below' || check.isQuoted
  const lost = (market?.returns ?? 0n) - (isQuoted ? quote.returns : floor)
  const amount = `${formatAmount(lost > 0n ? lost : 0n, buy.decimals)} ${formatSymbol(buy)}`
  return isQuoted
    ? t('You would receive about {amount} less than at the market price.', { amount })
    : t('You may receive up to {amount} less than at the market price.', { amount })
}
