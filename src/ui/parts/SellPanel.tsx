import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isNative } from '../../domain/token.ts'
import { amountOf, coinReserve } from '../../state/trade.ts'
import { faultOfAmount } from '../amountFault.ts'
import { formatAmount } from '../numbers.ts'
import { use, useStores } from '../use.ts'
import { AmountPanel, sizeOf } from './AmountPanel.tsx'

const shares = [25, 50, 75, 100]

/** What is sold: the one field of the form, and a line below it that is always there, so that a fault moves nothing. */
export function SellPanel({ onChoose }: { onChoose(): void }) {
  const { trade, tokens, purpose } = useStores()
  const token = use(trade, ({ sell }) => sell)
  const text = use(trade, (form) => form.text)
  const balances = use(tokens, (state) => state.balances)
  const balance = token && balances[token.address]
  const amount = use(trade, amountOf)
  const isMost = token && isNative(token.address) && balance !== undefined && amount === balance - coinReserve
  const fault = use(trade, (form) => faultOfAmount(form, balances))

  const field = useRef<HTMLInputElement>(null)
  const [isCut, setCut] = useState(false)
  useLayoutEffect(() => {
    // A page's window opens by itself: keys that were meant for something else must not land in the amount.
    if (purpose === 'form') field.current?.focus()
  }, [purpose])
  useLayoutEffect(() => {
    if (field.current !== null) setCut(field.current.scrollWidth > field.current.clientWidth)
  }, [text, token])
  // What the field has no room for is written out below it.
  const hint = isMost ? `−${formatAmount(coinReserve, 18)} for fees` : isCut ? text : ''

  return (
    <AmountPanel
      label={<label for="sell-amount">You sell</label>}
      token={token}
      balance={balance}
      chooseLabel="Token to sell"
      onChoose={onChoose}
      foot={
        <>
          <p id="sell-line" class={fault === undefined ? 'line num' : 'line line-bad'} aria-live="polite">
            {fault ?? hint}
          </p>
          <div class="shares">
            {shares.map((percent) => (
              <button
                key={percent}
                type="button"
                class="chip"
                aria-label={percent === 100 ? 'Sell the most' : `Sell ${percent}% of the balance`}
                disabled={balance === undefined || balance === 0n}
                onClick={() => trade.setShare(percent, balance)}
              >
                {percent === 100 ? 'Max' : `${percent}%`}
              </button>
            ))}
          </div>
        </>
      }
    >
      <input
        id="sell-amount"
        class="figure num"
        data-size={sizeOf(text)}
        value={text}
        placeholder="0"
        inputMode="decimal"
        autocomplete="off"
        aria-invalid={fault !== undefined}
        aria-describedby="sell-line"
        ref={field}
        onInput={(event) => trade.setText(event.currentTarget.value)}
      />
    </AmountPanel>
  )
}
