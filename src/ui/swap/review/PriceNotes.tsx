import type { ComponentChildren } from 'preact'
import { warnAboveBps } from '../../../domain/swap/market.ts'
import { quoteKey } from '../../../domain/swap/quote.ts'
import type { Review } from '../../../domain/swap/swap.ts'
import type { Token } from '../../../domain/token/token.ts'
import { t, tx } from '../../../i18n/translate.ts'
import { Amount } from '../../components/Amount.tsx'
import { Warning } from '../../components/alerts/Warning.tsx'
import { formatSymbol } from '../../format/address.ts'
import { formatPercent, formatWithSymbol } from '../../format/numbers.ts'
import { useStore, useStores } from '../../hooks/data/useStore.ts'
import { useValue } from '../../hooks/data/useValue.ts'
import { toImpactView } from './impact.ts'
import { toPriceCheck } from './market.ts'

type Props = { review: Review; buy: Token }

/** The one note about the price: compares with the market if below it, else states price impact. */
export function PriceNote({ review, buy }: Props) {
  const check = toPriceCheck(review)
  if (check.status !== 'unknown' && check.quotedBps > warnAboveBps) {
    const words = <MarketLoss review={review} buy={buy} bps={check.quotedBps} />
    return check.status === 'far-below' && check.isQuoted ? (
      <Grave>{words}</Grave>
    ) : (
      <Warning>{words}</Warning>
    )
  }
  const { tone, words } = toImpactView(review.impactBps)
  if (tone === 'note') return <p class="aside small">{words}</p>
  if (tone === 'warn') return <Warning>{words}</Warning>
  return tone === 'bad' ? <Grave>{words}</Grave> : null
}

/** Names the quote's loss against the market in value, else in the bought token. */
function MarketLoss({ review, buy, bps }: Props & { bps: number }) {
  const { market, quote } = review
  const lost = market && market.returns > quote.returns ? market.returns - quote.returns : 0n
  const value = useValue(buy, lost, quote.trade.chainId)
  return (
    <>
      {t('This quote pays {amount} ({percent}) less than the market price.', {
        amount: value?.text ?? formatWithSymbol(lost, buy, false),
        percent: formatPercent(bps),
      })}
    </>
  )
}

function Grave({ children }: { children: ComponentChildren }) {
  return (
    <p class="note note-bad" role="alert">
      <strong>{children}</strong>
    </p>
  )
}

/** Quotes ignore transfer fees of tokens. */
export function TransferFeeNote({ review, sell, buy }: Props & { sell: Token }) {
  const { quote } = useStores()
  const priced = useStore(quote, (state) => (state.status === 'ready' ? state.quote : undefined))
  const { quote: promised, verdict } = review
  const [taxed] = [sell, buy].filter((token) => token.taxed)
  const arrives = verdict.status === 'matches' ? verdict.received : promised.returns
  if (taxed === undefined || priced === undefined || quoteKey(priced.trade) !== quoteKey(promised.trade))
    return null
  if (priced.returns <= arrives) return null
  return (
    <Warning>
      {tx('{symbol} charges a transfer fee, so the amount received is {amount}.', {
        symbol: formatSymbol(taxed),
        amount: <Amount amount={arrives} token={buy} />,
      })}
    </Warning>
  )
}
