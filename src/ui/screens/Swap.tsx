import { useState } from 'preact/hooks'
import type { Network, Settings } from '../../domain/network.ts'
import type { Account } from '../../protocol.ts'
import { tradeOf } from '../../state/trade.ts'
import { type Act, nextAct } from '../act.ts'
import { later } from '../later.tsx'
import { Banners } from '../parts/Banners.tsx'
import { BuyPanel } from '../parts/BuyPanel.tsx'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { Header } from '../parts/Header.tsx'
import { Icon } from '../parts/Icon.tsx'
import { QuoteCard } from '../parts/QuoteCard.tsx'
import { QuoteVoice } from '../parts/QuoteVoice.tsx'
import { SellPanel } from '../parts/SellPanel.tsx'
import { TroubleBanner } from '../parts/TroubleBanner.tsx'
import { shortcut } from '../shortcut.ts'
import { use, useStores, useTask } from '../use.ts'

const TokenPicker = later(() => import('../parts/TokenPicker.tsx').then(({ TokenPicker }) => TokenPicker))
const SlippageSheet = later(() =>
  import('../parts/SlippageSheet.tsx').then(({ SlippageSheet }) => SlippageSheet),
)

type Props = {
  account: Account
  backedUp: boolean
  network: Network
  settings: Settings
  onSettings(chainId?: number): void
}

/** The heart: what to sell, what comes out, and the one button that says the next act. */
export function Swap({ account, backedUp, network, settings, onSettings }: Props) {
  const stores = useStores()
  const trade = use(stores.trade, (state) => state)
  const balances = use(stores.tokens, (state) => state.balances)
  const quote = use(stores.quote, (state) => state)
  const [asks, setAsks] = useState<'sell' | 'buy' | 'slippage' | undefined>()
  const fund = useTask(stores.fund)

  const { setSell, setBuy, setSlippage, setShare, flip } = stores.trade
  const slippageBps = trade.slippageBps ?? settings.slippageBps
  const act = nextAct({ network, trade, balances, quote })
  const done = () => setAsks(undefined)
  const turn = () => flip(quote.status === 'ready' ? quote.quote.returns : undefined)

  const run = (does: Act['does']) => {
    const wanted = tradeOf(trade)
    if (does === 'set-up') onSettings(network.chainId)
    else if (does === 'choose-buy') setAsks('buy')
    else if (does === 'fund') fund.run()
    else if (does === 'resume') stores.quote.refresh()
    else if (wanted) stores.swap.prepare({ account: account.address, trade: wanted, slippageBps })
  }

  const onKey = shortcut({
    f: turn,
    m: () => trade.sell && setShare(100, balances[trade.sell.address]),
    '/': () => setAsks('buy'),
  })

  return (
    <div class="fill">
      <Header account={account} onSettings={onSettings} />
      <main class="swap">
        <h1 class="unseen">Swap</h1>
        <Banners backedUp={backedUp} onBackUp={() => onSettings()} />
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
          <QuoteCard network={network} slippageBps={slippageBps} onSlippage={() => setAsks('slippage')} />
          <div class="act">
            <div class="act-trouble">{fund.error ? <ErrorNote error={fund.error} /> : <TroubleBanner />}</div>
            <button class="main" type="submit" disabled={act.does === undefined || fund.isRunning}>
              {fund.isRunning ? 'Getting funds…' : act.label}
            </button>
          </div>
        </form>
        <QuoteVoice />
      </main>
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
    </div>
  )
}
