import { formatSymbol } from '../format.ts'
import { formatAmount, formatWhole } from '../numbers.ts'
import { use, useStores } from '../use.ts'
import { AmountPanel, sizeOf } from './AmountPanel.tsx'

/** What comes out, by the latest quote. */
export function BuyPanel({ onChoose }: { onChoose(): void }) {
  const { trade, tokens, quote } = useStores()
  const token = use(trade, ({ buy }) => buy)
  const balance = use(tokens, ({ balances }) => token && balances[token.address])
  const status = use(quote, (state) => state.status)
  const returns = use(quote, (state) => (state.status === 'ready' ? state.quote.returns : undefined))
  const isOld = use(
    quote,
    (state) => state.status === 'ready' && (state.nextAt === undefined || state.trouble !== undefined),
  )
  const shown = token && returns !== undefined ? formatAmount(returns, token.decimals) : undefined
  return (
    <AmountPanel
      label={<span id="buy-label">You receive</span>}
      token={token}
      balance={balance}
      chooseLabel="Token to buy"
      onChoose={onChoose}
    >
      <output
        class={status === 'loading' ? 'figure num waiting' : 'figure num'}
        aria-labelledby="buy-label"
        aria-live="off"
        data-size={sizeOf(shown ?? '')}
        data-old={isOld}
        data-empty={shown === undefined}
        title={
          token && returns !== undefined
            ? `${formatWhole(returns, token.decimals)} ${formatSymbol(token)}`
            : undefined
        }
      >
        {shown ?? '0'}
      </output>
    </AmountPanel>
  )
}
