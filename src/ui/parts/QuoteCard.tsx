import { useState } from 'preact/hooks'
import type { Network } from '../../domain/network.ts'
import type { Address, Token } from '../../domain/token.ts'
import { leastReturn, type Quote } from '../../domain/trade.ts'
import type { QuoteState } from '../../state/quote.ts'
import { formatRoute, formatSymbol, shortAddress } from '../format.ts'
import { formatAmount, formatPercent, formatRate } from '../numbers.ts'
import { use, useNow, useStores } from '../use.ts'
import { Amount } from './Amount.tsx'
import { ErrorNote } from './ErrorNote.tsx'
import { Icon } from './Icon.tsx'
import { QuoteRing } from './QuoteRing.tsx'

type Props = {
  network: Network
  slippageBps: number
  atLeast: bigint | undefined
  onSlippage(): void
}

/** The price and what follows from it. Its rows are always there: an answer fills them and moves nothing. */
export function QuoteCard({ network, slippageBps, atLeast = 0n, onSlippage }: Props) {
  const stores = useStores()
  const quote = use(stores.quote, (state) => state)
  const sell = use(stores.trade, (form) => form.sell)
  const buy = use(stores.trade, (form) => form.buy)
  const [inverted, setInverted] = useState(false)
  const ready = quote.status === 'ready' && sell && buy ? { quote: quote.quote, sell, buy } : undefined
  const isOld = quote.status === 'ready' && (quote.nextAt === undefined || quote.trouble !== undefined)

  return (
    <section class="panel quote" aria-label="Price" data-old={isOld}>
      <div class="quote-top">
        {ready ? (
          <button
            type="button"
            class="rate num"
            aria-label="Rate, turn it around"
            onClick={() => setInverted(!inverted)}
          >
            {rateOf(ready, inverted)}
          </button>
        ) : (
          <span class="rate rate-none">
            {quote.status === 'failed' ? <Retry at={quote.retryAt} /> : prompts[quote.status]}
          </span>
        )}
        <QuoteRing quote={quote} everyMs={network.quoteEveryMs} onRefresh={stores.quote.refresh} />
      </div>
      {quote.status === 'failed' ? (
        <div class="quote-fault">
          <ErrorNote error={quote.error} />
        </div>
      ) : (
        <dl class="rows">
          <Row name="You get at least">
            {ready ? (
              <Amount amount={leastOf(ready.quote, slippageBps, atLeast)} token={ready.buy} />
            ) : (
              blank(quote)
            )}
          </Row>
          <Row name="Network fee">
            {ready ? <Fee quote={ready.quote} coin={network.coin.symbol} /> : blank(quote)}
          </Row>
          <Row name="Route">{ready ? <RouteText {...ready} /> : blank(quote)}</Row>
        </dl>
      )}
      <button
        type="button"
        class="slippage"
        aria-haspopup="dialog"
        aria-label={`Slippage ${formatPercent(slippageBps)}, change`}
        onClick={onSlippage}
      >
        <span>Slippage allowed</span>
        <span class="chip num">
          {formatPercent(slippageBps)} <Icon name="down" size={12} />
        </span>
      </button>
    </section>
  )
}

type Ready = { quote: Quote; sell: Token; buy: Token }

function Row({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function leastOf({ returns }: Quote, slippageBps: number, atLeast: bigint): bigint {
  const usual = leastReturn(returns, slippageBps)
  return usual < atLeast && atLeast <= returns ? atLeast : usual
}

/** In the coin once the node said what gas costs; in gas until then. */
function Fee({ quote: { gas, networkFee }, coin }: { quote: Quote; coin: string }) {
  const text =
    networkFee === undefined
      ? `about ${gas.toLocaleString()} gas`
      : `about ${formatAmount(networkFee, 18)} ${coin}`
  return <span class="num">{text}</span>
}

/** The route as text, one line until it is pressed. The words are a person's, the names the service's. */
function RouteText({ quote, sell, buy }: Ready) {
  const { tokens } = useStores()
  const list = use(tokens, (state) => state.tokens)
  const [open, setOpen] = useState(false)
  const symbolOf = (address: Address) => {
    const token = [sell, buy, ...list].find((one) => one.address === address)
    return token ? formatSymbol(token) : shortAddress(address)
  }
  const lines = formatRoute(quote.route, symbolOf)
  return (
    <button type="button" class="route" aria-expanded={open} onClick={() => setOpen(!open)}>
      {open ? lines.map((line) => <span key={line}>{line}</span>) : <span>{lines.join('; ')}</span>}
    </button>
  )
}

function rateOf({ quote, sell, buy }: Ready, inverted: boolean): string {
  const sold = { amount: quote.trade.amount, decimals: sell.decimals, symbol: formatSymbol(sell) }
  const bought = { amount: quote.returns, decimals: buy.decimals, symbol: formatSymbol(buy) }
  const [one, other] = inverted ? [bought, sold] : [sold, bought]
  return `1 ${one.symbol} = ${formatRate(one, other)} ${other.symbol}`
}

const prompts: Record<Exclude<QuoteState['status'], 'failed'>, string> = {
  idle: 'Enter an amount for a price',
  loading: 'Getting a price…',
  ready: '',
  resting: 'Prices are paused',
}

/** When the price is asked for again by itself. */
function Retry({ at }: { at: number | undefined }) {
  const now = useNow(500)
  if (at === undefined) return <>No price</>
  const seconds = Math.max(0, Math.ceil((at - now) / 1_000))
  return <span class="num">Asking again in {seconds} s</span>
}

function blank({ status }: QuoteState) {
  return status === 'loading' ? <span class="bone" /> : <span class="none">–</span>
}
