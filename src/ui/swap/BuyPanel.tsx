import { t } from '../../i18n/translate.ts'
import { AmountPanel } from '../components/AmountPanel.tsx'
import { useStore, useStores } from '../hooks/useStore.ts'
import { validateAmount } from '../messages/amountErrors.ts'
import { isStaleQuote } from './quoteAge.ts'

/** Shows the output. An amount typed here is the minimum. */
export function BuyPanel({ onChoose }: { onChoose(): void }) {
  const { trade, tokens, quote } = useStores()
  const form = useStore(trade, (state) => state)
  const state = useStore(quote, (now) => now)
  const balance = useStore(tokens, ({ balances }) => form.buy && balances[form.buy.address])
  const isTyped = form.side === 'buy'
  return (
    <AmountPanel
      id="buy-amount"
      label={isTyped ? t('You receive (min)') : t('You receive')}
      typed={isTyped ? form.text : undefined}
      follows={state.status === 'ready' ? state.quote.returns : undefined}
      isWaiting={!isTyped && state.status === 'loading'}
      isOld={!isTyped && isStaleQuote(state)}
      fault={isTyped ? validateAmount(form) : undefined}
      onInput={(text) => trade.setText(text, 'buy')}
      token={form.buy}
      balance={balance}
      chooseLabel={t('Token to buy')}
      onChoose={onChoose}
    />
  )
}
