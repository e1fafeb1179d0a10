import { useState } from 'preact/hooks'
import type { Network } from '../../domain/network.ts'
import type { Address } from '../../domain/token.ts'
import type { Trade } from '../../domain/trade.ts'
import { tradeOf } from '../../state/trade.ts'
import { type Act, nextAct } from '../act.ts'
import { later } from '../later.tsx'
import { shortcut } from '../shortcut.ts'
import { use, useStores, useTask } from '../use.ts'
import { BuyPanel } from './BuyPanel.tsx'
import { ErrorNote } from './ErrorNote.tsx'
import { Icon } from './Icon.tsx'
import { QuoteCard } from './QuoteCard.tsx'
import { QuoteVoice } from './QuoteVoice.tsx'
import { SellPanel } from './SellPanel.tsx'
import { TroubleBanner } from './TroubleBanner.tsx'

const TokenPicker = later(() => import('./TokenPicker.tsx').then(({ TokenPicker }) => TokenPicker))
const SlippageSheet = later(() => import('./SlippageSheet.tsx').then(({ SlippageSheet }) => SlippageSheet))

type Props = {
  network: Network
  account: Address
  /** What is allowed now: chosen here, or somewhere else. */
  slippageBps: number
  /** Lifts what is received at the least, where that much is to be had. */
  atLeast?: bigint | undefined
  onSetUp?(): void
  onReview(trade: Trade): void
}

/** What to sell, what comes out, and the one button that says the next act. */
export function SwapForm({ network, account, slippageBps, atLeast, onSetUp, onReview }: Props) {
  const stores = useStores()
  const trade = use(stores.trade, (state) => state)
  const balances = use(stores.tokens, (state) => state.balances)
  const quote = use(stores.quote, (state) => state)
  const [asks, setAsks] = useState<'sell' | 'buy' | 'slippage' | undefined>()
  const fund = useTask(() => stores.fund(network.chainId, account))

  const { setSell, setBuy, setSlippage, setShare, flip } = stores.trade
  const act = nextAct({ network, trade, balances, quote })
  const done = () => setAsks(undefined)
  const turn = () => flip(quote.status === 'ready' ? quote.quote.returns : undefined)

  const run = (does: Act['does']) => {
    const wanted = tradeOf(trade)
    if (does === 'set-up') onSetUp?.()
    else if (does === 'choose-buy') setAsks('buy')
    else if (does === 'fund') fund.run()
    else if (does === 'resume') stores.quote.refresh()
    else if (wanted) onReview(wanted)
  }

  const onKey = shortcut({
    f: turn,
    m: () => trade.sell && setShare(100, balances[trade.sell.address]),
    '/': () => setAsks('buy'),
  })

  return (
    <>
      <form
        class="form"
        onKeyDown={onKey}
        onSubmit={(event) => {
          event.preventDefault()
          if (act.does !== undefined) run(act.does)
        }}
      >
        <div class="pair">
          <SellPanel onChoose={() => setAsks('sell')} />
          <button type="button" class="flip" aria-label="Flip the pair" title="Flip (F)" onClick={turn}>
            <Icon name="flip" size={18} />
          </button>
          <BuyPanel onChoose={() => setAsks('buy')} />
        </div>
        <QuoteCard
          network={network}
          slippageBps={slippageBps}
          atLeast={atLeast}
          onSlippage={() => setAsks('slippage')}
        />
        <div class="act">
          <div class="act-trouble">
            {fund.error ? <ErrorNote error={fund.error} /> : <TroubleBanner network={network} />}
          </div>
          <button class="main" type="submit" disabled={act.does === undefined || fund.isRunning}>
            {fund.isRunning ? 'Getting funds…' : act.label}
          </button>
        </div>
      </form>
      <QuoteVoice />
      {asks === 'sell' && (
        <TokenPicker title="Token to sell" chosen={trade.sell} onChoose={setSell} onClose={done} />
      )}
      {asks === 'buy' && (
        <TokenPicker title="Token to buy" chosen={trade.buy} onChoose={setBuy} onClose={done} />
      )}
      {asks === 'slippage' && (
        <SlippageSheet
          title="Slippage for this swap"
          value={slippageBps}
          onChoose={setSlippage}
          onClose={done}
        />
      )}
    </>
  )
}
