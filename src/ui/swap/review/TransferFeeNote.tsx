import { quoteKey } from '../../../domain/swap/quote.ts'
import type { Review } from '../../../domain/swap/swap.ts'
import type { Token } from '../../../domain/token/token.ts'
import { tx } from '../../../i18n/translate.ts'
import { Amount } from '../../components/Amount.tsx'
import { Warning } from '../../components/Warning.tsx'
import { formatSymbol } from '../../format/address.ts'
import { useStore, useStores } from '../../hooks/useStore.ts'

/** Quotes ignore transfer fees of tokens. */
export function TransferFeeNote({ review, sell, buy }: { review: Review; sell: Token; buy: Token }) {
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
