import type { Review } from '../../../domain/swap/swap.ts'
import type { Token } from '../../../domain/token/token.ts'
import { t } from '../../../i18n/translate.ts'
import { Warning } from '../../components/Warning.tsx'
import { formatPercent } from '../../format/numbers.ts'
import { toImpactView } from './impact.ts'
import { belowMarket, formatMarketLoss, toPriceCheck } from './market.ts'

/** One sentence about the price: the market's where the quote is below it, else the price impact's. */
export function PriceNote({ review, buy }: { review: Review; buy: Token }) {
  const check = toPriceCheck(review)
  if (check.status === 'far-below' && check.isQuoted) {
    const percent = formatPercent(check.quotedBps)
    return (
      <p class="note note-bad" role="alert">
        <strong>{t('This quote is {percent} below the market price.', { percent })}</strong>
      </p>
    )
  }
  const below = belowMarket(check)
  // The tick says the amount of a loss that is far below.
  if (check.status === 'below') return <Warning>{formatMarketLoss(review, buy)}</Warning>
  if (below !== undefined) return <Warning>{below}</Warning>
  const { tone, words } = toImpactView(review.impactBps)
  if (tone === 'note') return <p class="aside small">{words}</p>
  if (tone === 'warn') return <Warning>{words}</Warning>
  if (tone !== 'bad') return null
  return (
    <p class="note note-bad" role="alert">
      <strong>{words}</strong>
    </p>
  )
}
