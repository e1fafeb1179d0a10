import { t } from '../../i18n/translate.ts'
import { AmountPanel } from '../components/AmountPanel.tsx'
import { use, useStores } from '../hooks/useStore.ts'
import { faultOfAmount } from '../messages/amountFault.ts'
import { isOldQuote } from './quoteAge.ts'

/** What comes out, by the latest quote. An amount that is typed here is the least that may. */
export function BuyPanel({ onChoose }: { onChoose(): void }) {
  const { trade, tokens, quote } = useStores()
  const form = use(trade, (state) => state)
  const state = use(quote, (now) => now)
  const balance = use(tokens, ({ balances }) => form.buy && balances[form.buy.address])
  const isTyped = form.side === 'buy'
  return (
    <AmountPanel
      id="buy-amount"
      label={isTyped ? t('You receive at least') : t('You receive')}
      typed={isTyped ? form.text : undefined}
      follows={state.status === 'ready' ? state.quote.returns : undefined}
      isWaiting={!isTyped && state.status === 'loading'}
      isOld={!isTyped && isOldQuote(state)}
      fault={isTyped ? faultOfAmount(form) : undefined}
      onInput={(text) => trade.setText(text, 'buy')}
      token={form.buy}
      balance={balance}
      chooseLabel={t('Token to buy')}
      onChoose={onChoose}
    />
  )
}
