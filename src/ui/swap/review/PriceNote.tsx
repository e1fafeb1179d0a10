import type { Review } from '../../../domain/swap/swap.ts'
import type { Token } from '../../../domain/token/token.ts'
import { t } from '../../../i18n/translate.ts'
import { Warning } from '../../components/Warning.tsx'
import { formatPercent } from '../../format/numbers.ts'
import { toImpactView } from './impact.ts'
import { belowMarket, formatMarketLoss, toPriceCheck } from './market.ts'

/** Compares with the market if below it, else states price impact. */
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
  // The checkbox states far-below losses.
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
