import { t } from '../../../i18n/translate.ts'
import { createPoolGain } from '../../../state/swap/poolGain.ts'
import { formatSymbol } from '../../format/address.ts'
import { formatAmount, formatPercent } from '../../format/numbers.ts'
import { useStore, useStores } from '../../hooks/data/useStore.ts'
import { useValue } from '../../hooks/data/useValue.ts'
import type { ReadyQuote } from './readyQuote.ts'

/** Larger gaps are not shown, in basis points. */
const maxGapBps = 10

export type RouteClaims = { gain: string | undefined; proof: string | undefined }

/** Returns how good the route is: against the best single pool, and as the service proves. */
export function useRouteClaims({ quote, buy }: Pick<ReadyQuote, 'quote' | 'buy'>): RouteClaims {
  const { gain } = useStore(useStores().get(createPoolGain), (state) => state)
  const value = useValue(buy, gain)
  const more = gain && `+${value?.text ?? `${formatAmount(gain, buy.decimals)} ${formatSymbol(buy)}`}`
  return {
    gain: more ? t('{amount} vs. the best single pool', { amount: more }) : undefined,
    proof: formatProof(quote.gapBps),
  }
}

/** Formats "Proven within 0.01% of the best"; rounds up. */
export function formatProof(gapBps: number | undefined): string | undefined {
  if (gapBps === undefined || gapBps > maxGapBps) return undefined
  const percent = formatPercent(Math.max(1, Math.ceil(gapBps)))
  return t('Proven within {percent} of the best', { percent })
}
