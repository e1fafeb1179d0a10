import type { ComponentChildren } from 'preact'
import type { Network } from '../../../domain/network/network.ts'
import { getSwapSource } from '../../../domain/network/swapSource.ts'
import { checkPrice } from '../../../domain/swap/market.ts'
import { computeMinReturn, partnerFee } from '../../../domain/swap/quote.ts'
import type { SwapSource } from '../../../domain/swap/routeOptions.ts'
import type { Token } from '../../../domain/token/token.ts'
import { spokenLocale, t } from '../../../i18n/translate.ts'
import { Amount } from '../../components/Amount.tsx'
import { Icon } from '../../components/Icon.tsx'
import { Row } from '../../components/Row.tsx'
import { FeeValue } from '../../fees/FeeValue.tsx'
import { formatPercent } from '../../format/numbers.ts'
import { useValue } from '../../hooks/data/useValue.ts'
import { lazy } from '../../lazy/lazy.tsx'
import { toImpactView } from '../review/impact.ts'
import { belowMarket } from '../review/market.ts'
import type { ReadyQuote } from './readyQuote.ts'

const River = lazy(() => import('./River.tsx').then(({ River }) => River))

type Props = {
  ready: ReadyQuote | undefined
  isLoading: boolean
  isWrapping: boolean
  network: Network
  source: SwapSource | undefined
  side: 'sell' | 'buy'
  slippageBps: number
  atLeast: bigint | undefined
  onRoute(): void
}

export function QuoteRows({
  ready,
  isLoading,
  isWrapping,
  network,
  source,
  side,
  slippageBps,
  atLeast,
  onRoute,
}: Props) {
  const filled = (content: (ready: ReadyQuote) => ComponentChildren) =>
    ready ? content(ready) : isLoading ? <span class="bone" /> : <span class="none">–</span>
  const fee = (
    <Row name={t('Network fee')}>
      {filled((now) => (
        <Fee ready={now} network={network} />
      ))}
    </Row>
  )
  const feeBps = toFeeBps(ready, network, source)
  if (isWrapping) {
    return (
      <dl class="rows">
        {fee}
        <Row name={t('Price')}>{t('1:1, no approval needed')}</Row>
      </dl>
    )
  }
  return (
    <dl class="rows">
      {side === 'sell' ? (
        <Row name={t('Minimum received')}>
          {filled(({ quote, buy }) => (
            <Amount amount={toMinimum(quote.returns, slippageBps, atLeast)} token={buy} />
          ))}
        </Row>
      ) : (
        <Row name={t('Maximum sold')}>
          {filled(({ trade, sell }) => (
            <Amount amount={trade.amount} token={sell} />
          ))}
        </Row>
      )}
      <Row name={t('Price impact')}>
        {filled((now) => (
          <Impact bps={now.impactBps} buy={now.buy} below={toBelow(now, slippageBps, atLeast)} />
        ))}
      </Row>
      {fee}
      {feeBps > 0 && (
        <Row name={t('Partner fee')}>
          {filled(({ trade, sell }) => (
            <>
              <Amount amount={partnerFee(trade.amount, feeBps)} token={sell} /> ({formatPercent(feeBps)})
            </>
          ))}
        </Row>
      )}
      <div class="river-row">
        <dt class="unseen">{t('Route')}</dt>
        <dd>
          <River ready={ready} isLoading={isLoading} network={network} onPress={onRoute} />
        </dd>
      </div>
    </dl>
  )
}

/** Known before the quote. Direct swaps take no partner fee. */
function toFeeBps(ready: ReadyQuote | undefined, network: Network, source: SwapSource | undefined): number {
  const isService = getSwapSource(network, source) === 'service'
  const options = ready ? ready.want.options : isService ? network.options : undefined
  return options?.feeBps ?? 0
}

function toMinimum(returns: bigint, slippageBps: number, atLeast = 0n): bigint {
  const usual = computeMinReturn(returns, slippageBps)
  return usual < atLeast && atLeast <= returns ? atLeast : usual
}

/** Expected, not the maximum. In gas until the gas price is known. */
function Fee({ ready: { quote }, network: { coin, chainId } }: { ready: ReadyQuote; network: Network }) {
  const { gas, networkFee } = quote
  return networkFee === undefined ? (
    t('~{amount} gas', { amount: gas.toLocaleString(spokenLocale()) })
  ) : (
    <FeeValue fee={{ expectedFee: networkFee }} coin={coin.symbol} chainId={chainId} />
  )
}

/** If notable. */
function toBelow({ quote, market }: ReadyQuote, slippageBps: number, atLeast: bigint | undefined) {
  const check = checkPrice(quote.returns, toMinimum(quote.returns, slippageBps, atLeast), market)
  const words = belowMarket(check)
  if (words === undefined || market === undefined) return undefined
  return { words, isFar: check.status === 'far-below', lost: market.returns - quote.returns }
}

type ImpactProps = { bps: ReadyQuote['impactBps']; buy: Token; below: ReturnType<typeof toBelow> }

/** Price impact by the service, or distance below the market price. */
function Impact({ bps, buy, below }: ImpactProps) {
  const lost = useValue(buy, below?.lost)
  if (below) {
    return (
      <span class={`impact impact-${below.isFar ? 'bad' : 'warn'}`}>
        <Icon name="warn" size={14} />
        {lost && <span class="num">−{lost.text}</span>}
        <span>{below.words}</span>
      </span>
    )
  }
  if (bps === undefined) return <span class="bone" />
  const { tone, value } = toImpactView(bps === 'unknown' ? undefined : bps)
  return (
    <span class={`impact impact-${tone}`}>
      {tone !== 'plain' && tone !== 'note' && <Icon name="warn" size={14} />}
      {value}
    </span>
  )
}
