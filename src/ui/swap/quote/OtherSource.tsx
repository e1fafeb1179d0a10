import type { SwapSource } from '../../../domain/swap/routeOptions.ts'
import type { Token } from '../../../domain/token/token.ts'
import { defineMessage, t } from '../../../i18n/translate.ts'
import { Amount } from '../../components/Amount.tsx'
import { formatPercent } from '../../format/numbers.ts'
import { useStore, useStores } from '../../hooks/data/useStore.ts'

const names: Record<SwapSource, string> = {
  direct: defineMessage('Uniswap pools'),
  service: defineMessage('Swap service'),
}

/** Offers the swap source that is not in use. `returns`: of the one in use, undefined if it failed. */
export function OtherSource({ buy, returns }: { buy: Token; returns: bigint | undefined }) {
  const { otherQuote, trade } = useStores()
  const { quote, source } = useStore(otherQuote, (state) => state)
  if (quote === undefined) return null
  const change = returns === undefined ? undefined : formatDifference(returns, quote.returns)
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
