import { useEffect } from 'preact/hooks'
import type { Network } from '../../../domain/network/network.ts'
import type { SwapSource } from '../../../domain/swap/routeOptions.ts'
import { defineMessage, t } from '../../../i18n/translate.ts'
import { createOtherQuote } from '../../../state/swap/otherQuote.ts'
import { toRouteOptions } from '../../../state/swap/swapForm.ts'
import { Amount } from '../../components/Amount.tsx'
import { formatPercent } from '../../format/numbers.ts'
import { useStore, useStores } from '../../hooks/data/useStore.ts'

const names: Record<SwapSource, string> = {
  direct: defineMessage('Uniswap pools'),
  service: defineMessage('Swap service'),
}

/** Offers the swap source that is not in use, and compares both. */
export function OtherSource({ network }: { network: Network }) {
  const stores = useStores()
  const { trade } = stores
  const form = useStore(trade, (state) => state)
  const inUse = useStore(stores.quote, (state) => state)
  const other = stores.get(createOtherQuote)
  const { quote, source } = useStore(other, (state) => state)
  useEffect(() => {
    other.follow(inUse, {
      network,
      optionsFor: (source) => toRouteOptions({ ...form, source }, network),
    })
  }, [inUse, network])
  const { buy } = form
  if (quote === undefined || buy === undefined) return null
  const change = inUse.status === 'ready' ? formatDifference(inUse.quote.returns, quote.returns) : undefined
  return (
    <p class="quote-other">
      <span>
        {t(names[source])}: <Amount amount={quote.returns} token={buy} />
        {change && <span class="num dim"> ({change})</span>}
      </span>
      <button
        type="button"
        class="link"
        aria-label={
          source === 'direct' ? t('Swap through Uniswap pools') : t('Swap through the swap service')
        }
        onClick={() => trade.setSource(source)}
      >
        {t('Use')}
      </button>
    </p>
  )
}

/** Formats "+0.12%": by how much `other` returns more. */
function formatDifference(returns: bigint, other: bigint): string {
  const change = other - returns
  const hundredths = returns === 0n ? 0 : Number(((change < 0n ? -change : change) * 10_000n) / returns)
  if (hundredths === 0) return t('same price')
  return `${change < 0n ? '−' : '+'}${formatPercent(hundredths)}`
}
