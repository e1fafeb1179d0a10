import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { t } from '../../i18n/translate.ts'
import { AmountPanel } from '../components/fields/AmountPanel.tsx'
import { formatAmount, formatPercent } from '../format/numbers.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { validateAmount, validateSale } from '../messages/errors/amountErrors.ts'
import { CurrencyToggle } from './CurrencyToggle.tsx'
import { enteredSellAmount } from './primaryAction.ts'
import { isStaleQuote } from './quote/quoteAge.ts'
import { useCurrencyEntry } from './useCurrencyEntry.ts'

const shares = [25, 50, 75, 100]

/** Sold amount: typed, a share of the balance, or derived from the output. */
export function SellPanel({ onChoose }: { onChoose(): void }) {
  const stores = useStores()
  const form = useStore(stores.trade, (state) => state)
  const quote = useStore(stores.quote, (state) => state)
  const { sell, side, kept } = form
  const balance = useStore(stores.tokens, ({ balances }) => sell && balances[sell.address])
  const isTyped = side === 'sell'
  const sold = enteredSellAmount({ trade: form, quote })
  const unreadable = isTyped ? validateAmount(form) : undefined

  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    // Approval windows open unasked: stray keys must not change the amount.
    if (stores.purpose === 'form') field.current?.focus()
  }, [stores])

  const [hasFocus, setFocus] = useState(false)
  const entry = useCurrencyEntry(
    {
      chainId: form.chainId,
      token: sell,
      text: form.text,
      isTyped,
      setText: (text) => stores.trade.setText(text, 'sell'),
    },
    hasFocus,
  )
  const money = entry?.isOn ? entry : undefined
  return (
    <AmountPanel
      id="sell-amount"
      label={isTyped ? t('You sell') : t('Maximum sold')}
      typed={money ? money.text : isTyped ? form.text : undefined}
      follows={sold}
      currency={money?.unit}
      value={
        entry &&
        sell && (
          <CurrencyToggle
            entry={entry}
            amount={sold}
            token={sell}
            onTurn={() => {
              entry.turn(!entry.isOn)
              field.current?.focus()
            }}
          />
        )
      }
      isWaiting={!isTyped && quote.status === 'loading'}
      isOld={!isTyped && isStaleQuote(quote)}
      fault={money?.fault ?? unreadable ?? validateSale(sold, balance, sell)}
      hint={
        kept === undefined ? undefined : t('{amount} reserved for fees', { amount: formatAmount(kept, 18) })
      }
      field={field}
      onFocusChange={setFocus}
      onInput={(text) => (money ? money.onInput(text) : stores.trade.setText(text, 'sell'))}
      token={sell}
      balance={balance}
      chooseLabel={t('Token to sell')}
      onChoose={onChoose}
      head={
        <div class="shares">
          {shares.map((percent) => (
            <button
              key={percent}
              type="button"
              class="chip"
              aria-label={
                percent === 100
                  ? t('Use max')
                  : t('Use {percent} of balance', { percent: formatPercent(percent * 100) })
              }
              disabled={!balance}
              onClick={() => stores.setPercentage(percent)}
            >
              {percent === 100 ? t('Max') : formatPercent(percent * 100)}
            </button>
          ))}
        </div>
      }
    />
  )
}
