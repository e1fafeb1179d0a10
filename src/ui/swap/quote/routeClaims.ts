import { lossBps, type MarketReturns } from '../../../domain/swap/market.ts'
import type { Quote } from '../../../domain/swap/quote.ts'
import { t } from '../../../i18n/translate.ts'
import { createPoolGain } from '../../../state/swap/poolGain.ts'
import { formatSymbol } from '../../format/address.ts'
import { formatAmount, formatPercent } from '../../format/numbers.ts'
import { useStore, useStores } from '../../hooks/data/useStore.ts'
import { useValue } from '../../hooks/data/useValue.ts'
import type { ReadyQuote } from './readyQuote.ts'

/** Larger gaps are not shown, in basis points. */
const maxGapBps = 10
/** Loss against the market price that contradicts the claim, beyond the gap: pool fees and impact. */
const maxLossBps = 100

export type RouteClaims = { gain: string | undefined; proof: string | undefined }

/** Returns how good the route is: against the best single pool, and as the service claims. */
export function useRouteClaims({
  quote,
  buy,
  market,
}: Pick<ReadyQuote, 'quote' | 'buy' | 'market'>): RouteClaims {
  const { gain } = useStore(useStores().get(createPoolGain), (state) => state)
  const value = useValue(buy, gain)
  const more = gain && `+${value?.text ?? `${formatAmount(gain, buy.decimals)} ${formatSymbol(buy)}`}`
  return {
    gain: more ? t('{amount} vs. the best single pool', { amount: more }) : undefined,
    proof: formatProof(quote, market),
  }
}

/**
 * Formats "Service’s proof: within 0.01% of the best"; rounds up. The wallet cannot verify it: undefined
 * where the market price is unknown or contradicts it.
 */
export function formatProof(
  { gapBps, returns }: Pick<Quote, 'gapBps' | 'returns'>,
  market: Pick<MarketReturns, 'returns'> | undefined,
): string | undefined {
  if (gapBps === undefined || gapBps > maxGapBps || market === undefined) return undefined
  if (lossBps(returns, market.returns) > gapBps + maxLossBps) return undefined
  const percent = formatPercent(Math.max(1, Math.ceil(gapBps)))
  return t('Service’s proof: within {percent} of the best', { percent })
}
