import { isNative } from '../../domain/token.ts'
import { amountOf, coinReserve } from '../../state/trade.ts'
import { formatAmount } from '../numbers.ts'
import { use, useStores } from '../use.ts'
import { AmountPanel, sizeOf } from './AmountPanel.tsx'
import { focus } from './focus.ts'

const shares = [25, 50, 75, 100]

/** What is sold: the one field of the form. */
export function SellPanel({ onChoose }: { onChoose(): void }) {
  const { trade, tokens } = useStores()
  const token = use(trade, ({ sell }) => sell)
  const text = use(trade, (form) => form.text)
  const balance = use(tokens, ({ balances }) => token && balances[token.address])
  const amount = use(trade, amountOf)
  const isMost = token && isNative(token.address) && balance !== undefined && amount === balance - coinReserve
  return (
    <AmountPanel
      label={<label for="sell-amount">You sell</label>}
      token={token}
      balance={balance}
      chooseLabel="Token to sell"
      onChoose={onChoose}
      foot={
        <div class="shares">
          <span class="line">{isMost && `−${formatAmount(coinReserve, 18)} for fees`}</span>
          {shares.map((percent) => (
            <button
              key={percent}
              type="button"
              class="chip"
              aria-label={percent === 100 ? 'Sell the most' : `Sell ${percent}% of the balance`}
              disabled={balance === undefined || balance === 0n}
              onClick={() => balance !== undefined && trade.setShare(percent, balance)}
            >
              {percent === 100 ? 'Max' : `${percent}%`}
            </button>
          ))}
        </div>
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
        ref={focus}
        onInput={(event) => trade.setText(event.currentTarget.value)}
      />
    </AmountPanel>
  )
}
