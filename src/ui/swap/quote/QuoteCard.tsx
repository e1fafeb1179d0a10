import { useState } from 'preact/hooks'
import type { Network } from '../../../domain/network/network.ts'
import { getSwapSource, hasOtherSource } from '../../../domain/network/swapSource.ts'
import type { Quote } from '../../../domain/swap/quote.ts'
import { isWrap } from '../../../domain/swap/wrap.ts'
import type { Token } from '../../../domain/token/token.ts'
import { defineMessage, t } from '../../../i18n/translate.ts'
import type { QuoteState } from '../../../state/swap/quote.ts'
import { ErrorMessage } from '../../components/alerts/ErrorMessage.tsx'
import { formatSymbol } from '../../format/address.ts'
import { formatRate } from '../../format/numbers.ts'
import { useStore, useStores } from '../../hooks/data/useStore.ts'
import { useDelayedFlag } from '../../hooks/useDelayedFlag.ts'
import { useNow } from '../../hooks/useNow.ts'
import { lazy } from '../../lazy/lazy.tsx'
import { type SlippageForm, SlippageRow } from '../slippage/SlippageRow.tsx'
import { PriceMove } from './PriceMove.tsx'
import { QuoteRows } from './QuoteRows.tsx'
import { isStaleQuote } from './quoteAge.ts'
import { RefreshTimer } from './RefreshTimer.tsx'
import type { ReadyQuote } from './readyQuote.ts'

const OtherSource = lazy(() => import('./OtherSource.tsx').then(({ OtherSource }) => OtherSource))
const OptionChips = lazy(() => import('../OptionChips.tsx').then(({ OptionChips }) => OptionChips))

type Props = {
  network: Network
  slippageBps: number
  atLeast: bigint | undefined
  onAsk(what: SlippageForm): void
}

/** Rows are always present, to avoid layout shifts. */
export function QuoteCard({ network, slippageBps, atLeast, onAsk }: Props) {
  const stores = useStores()
  const quote = useStore(stores.quote, (state) => state)
  const form = useStore(stores.trade, (state) => state)
  const [inverted, setInverted] = useState(false)
  const isLate = useDelayedFlag(quote.status === 'loading' && quote.isAsked)
  const { sell, buy, receiver, excluded, allowPartialFill, source } = form
  const isService = getSwapSource(network, source) === 'service'
  const ready: ReadyQuote | undefined =
    quote.status === 'ready' && sell && buy ? { ...quote, sell, buy } : undefined
  const isWrapping =
    sell !== undefined && buy !== undefined && isWrap({ sell: sell.address, buy: buy.address }, network)
  const taxed = [sell, buy].find((token) => token?.taxed)

  return (
    <section class="panel quote" aria-label={t('Price')} data-old={isStaleQuote(quote)}>
      <div class="quote-top">
        {ready ? (
          <button
            type="button"
            class="rate num"
            title={t('Invert rate')}
            onClick={() => setInverted(!inverted)}
          >
            {formatRateLine(ready.quote, ready.sell, ready.buy, inverted)}
          </button>
        ) : (
          <span class="rate rate-none" aria-live={isLate ? 'polite' : 'off'}>
            {quote.status === 'failed' ? (
              <Retry at={quote.retryAt} />
            ) : (
              t(isLate ? late : prompts[quote.status])
            )}
          </span>
        )}
        <PriceMove quote={quote} />
        <RefreshTimer quote={quote} everyMs={network.quoteEveryMs} onRefresh={stores.quote.refresh} />
      </div>
      {quote.status === 'failed' ? (
        <div class="quote-fault">
          <ErrorMessage error={quote.error} />
        </div>
      ) : (
        <QuoteRows
          ready={ready}
          isLoading={quote.status === 'loading'}
          isWrapping={isWrapping}
          network={network}
          source={source}
          side={form.side}
          slippageBps={slippageBps}
          atLeast={atLeast}
          onRoute={() => onAsk('route')}
        />
      )}
      {hasOtherSource(network) && <OtherSource network={network} />}
      {isWrapping || <SlippageRow slippageBps={slippageBps} onAsk={onAsk} />}
      {(receiver !== undefined || (isService && (excluded.length > 0 || allowPartialFill))) && (
        <OptionChips network={network} />
      )}
      {taxed && (
        <p class="line quote-note">
          {t('{symbol} charges a transfer fee. The review shows the amount received.', {
            symbol: formatSymbol(taxed),
          })}
        </p>
      )}
    </section>
  )
}

/** Formats "1 ETH = 3,000 USDC" for either direction of the swap; the number is rarely below one. */
export function formatRateLine(
  { trade, returns }: Pick<Quote, 'trade' | 'returns'>,
  sell: Token,
  buy: Token,
  isInverted: boolean,
): string {
  const sold = { amount: trade.amount, decimals: sell.decimals, symbol: formatSymbol(sell) }
  const bought = { amount: returns, decimals: buy.decimals, symbol: formatSymbol(buy) }
  // Tokens of about the same worth keep one direction from quote to quote.
  const isSmall =
    5n * returns * 10n ** BigInt(sell.decimals) < 4n * trade.amount * 10n ** BigInt(buy.decimals)
  const [one, other] = isSmall === isInverted ? [sold, bought] : [bought, sold]
  return `1 ${one.symbol} = ${formatRate(one, other)} ${other.symbol}`
}

const prompts: Record<Exclude<QuoteState['status'], 'failed'>, string> = {
  idle: defineMessage('Enter an amount to get a quote'),
  loading: defineMessage('Fetching quote…'),
  ready: '',
  resting: defineMessage('Quotes paused'),
}

const late = defineMessage('Still fetching quote…')

/** Countdown to the automatic retry. */
function Retry({ at }: { at: number | undefined }) {
  const now = useNow(500)
  if (at === undefined) return <>{t('No quote')}</>
  const seconds = Math.max(0, Math.ceil((at - now) / 1_000))
  if (seconds === 0) return <>{t('Retrying…')}</>
  return <span class="num">{t('Retrying in {seconds}s', { seconds })}</span>
}
