import { useEffect } from 'preact/hooks'
import type { Network } from '../../../domain/network/network.ts'
import type { Quote } from '../../../domain/swap/quote.ts'
import type { SwapSource } from '../../../domain/swap/routeOptions.ts'
import { roundUpToDigits } from '../../../domain/token/significantDigits.ts'
import { isNative } from '../../../domain/token/token.ts'
import { defineMessage, t } from '../../../i18n/translate.ts'
import { createOtherQuote } from '../../../state/swap/otherQuote.ts'
import { toRouteOptions } from '../../../state/swap/swapForm.ts'
import { Amount } from '../../components/Amount.tsx'
import { formatAmount, formatPercent } from '../../format/numbers.ts'
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
  const change = inUse.status === 'ready' ? formatDifference(inUse.quote, quote, network) : undefined
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

/**
 * Formats by how much `other` returns more, net of the network fees where they are in the bought token:
 * "+0.12% net". Names the difference of other fees: "+0.12%, fee −0.0003 ETH".
 */
export function formatDifference(quote: Quote, other: Quote, network: Network): string {
  const { buy } = quote.trade
  const fees = toFees(quote, other)
  const isNet = fees !== undefined && (isNative(buy) || buy === network.wrapped) && quote.returns > fees.own
  if (isNet) {
    const change = formatReturnChange(quote.returns - fees.own, other.returns - fees.other)
    return change === undefined ? t('same price') : t('{percent} net', { percent: change })
  }
  const change = formatReturnChange(quote.returns, other.returns) ?? t('same price')
  const difference = fees && formatFeeChange(fees, network.coin)
  return difference ? t('{change}, fee {difference}', { change, difference }) : change
}

type Fees = { own: bigint; other: bigint }

function toFees({ networkFee: own }: Quote, { networkFee: other }: Quote): Fees | undefined {
  return own === undefined || other === undefined ? undefined : { own, other }
}

/** Undefined below 0.01 percent. */
function formatReturnChange(returns: bigint, other: bigint): string | undefined {
  const change = other - returns
  const hundredths = returns === 0n ? 0 : Number((absolute(change) * 10_000n) / returns)
  return hundredths === 0 ? undefined : `${toSign(change)}${formatPercent(hundredths)}`
}

/** Smallest amount of native token that is shown. */
const minShownWei = 10n ** 10n

/** Undefined within one percent. */
function formatFeeChange({ own, other }: Fees, coin: Network['coin']): string | undefined {
  const size = absolute(other - own)
  if (size * 100n <= own || size < minShownWei) return undefined
  return `${toSign(other - own)}${formatAmount(roundUpToDigits(size, 2), 18)} ${coin.symbol}`
}

function absolute(amount: bigint): bigint {
  return amount < 0n ? -amount : amount
}

function toSign(change: bigint): string {
  return change < 0n ? '−' : '+'
}
