import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Network } from '../../domain/network/network.ts'
import type { Address } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import type { FormQuote } from '../../state/swap/swapForm.ts'
import { isEmptyAccount } from '../../state/tokens/liveTokens.ts'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { AmountPanel } from '../components/fields/AmountPanel.tsx'
import { Icon } from '../components/Icon.tsx'
import { useIsWatchOnly } from '../hooks/data/useIsWatchOnly.ts'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { useLatest } from '../hooks/useLatest.ts'
import { lazy } from '../lazy/lazy.tsx'
import { validateAmount } from '../messages/errors/amountErrors.ts'
import { type PrimaryAction, primaryAction } from './primaryAction.ts'
import { QuoteAnnouncer } from './quote/QuoteAnnouncer.tsx'
import { QuoteCard } from './quote/QuoteCard.tsx'
import { isStaleQuote } from './quote/quoteAge.ts'
import { SellPanel } from './SellPanel.tsx'
import { shortcut } from './shortcuts.ts'
import type { SlippageForm } from './slippage/SlippageRow.tsx'

const FormSheets = lazy(() => import('./FormSheets.tsx').then(({ FormSheets }) => FormSheets))

type Props = {
  network: Network
  account: Address
  slippageBps: number
  /** Raises minReturn if the quote allows it. */
  atLeast?: bigint | undefined
  /** Button before the main one. */
  second?: ComponentChildren
  /** The route is shown beside. */
  hasRoute?: boolean
  onSetUp?: (part?: 'routes') => void
  onAddFunds?: () => void
  onReview(price: FormQuote): void
}

export function SwapForm({ network, account, slippageBps, atLeast, second, hasRoute, ...does }: Props) {
  const { onSetUp, onAddFunds, onReview } = does
  const stores = useStores()
  const trade = useStore(stores.trade, (state) => state)
  const tokens = useStore(stores.tokens, (state) => state)
  const { balances, balanceError } = tokens
  const quote = useStore(stores.quote, (state) => state)
  const [asks, setAsks] = useState<SlippageForm | undefined>()
  // Focuses the amount after the sheet closed.
  const [isChosen, setChosen] = useState(false)
  const fund = useMutation(() => stores.fund(network.chainId, account))

  const isWatched = useIsWatchOnly(account)
  const hasShortcuts = useStore(stores.settings, ({ settings }) => settings?.shortcuts === true)
  const isEmpty = onAddFunds !== undefined && isEmptyAccount(tokens)
  const act = primaryAction({ network, trade, balances, balanceError, quote, isEmpty, isWatched, atLeast })
  const flip = () => stores.trade.flip(quote.status === 'ready' ? quote.quote.returns : undefined)

  const ask = (what: SlippageForm) => {
    if (what === 'route' && hasRoute) document.getElementById('route-pane')?.focus()
    else setAsks(what)
  }

  const run = (act: PrimaryAction) => {
    if (act.does === 'set-up') onSetUp?.()
    else if (act.does === 'add-funds') onAddFunds?.()
    else if (act.does === 'choose-buy') setAsks('buy')
    else if (act.does === 'fund') fund.run()
    else if (act.does === 'resume') stores.quote.refresh()
    else if (quote.status !== 'ready') return
    else if (act.does === 'sell-less') stores.trade.sellLess(act.less)
    else if (act.does === 'review') onReview(quote)
  }

  const onKey = useRef<(event: KeyboardEvent) => void>(() => {})
  onKey.current = shortcut({
    ...(hasShortcuts && {
      'alt+f': flip,
      'alt+m': () => stores.setPercentage(100),
      'alt+r': stores.quote.refresh,
      '/': () => setAsks('buy'),
    }),
    enter: () => run(act),
  })
  useLayoutEffect(() => {
    if (asks !== undefined || !isChosen) return
    setChosen(false)
    document.getElementById(`${trade.side}-amount`)?.focus()
  }, [asks, isChosen])
  useEffect(() => {
    // Approval windows open while the user types elsewhere.
    if (stores.purpose !== 'form') return
    const listen = (event: KeyboardEvent) => onKey.current(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])

  return (
    <>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          run(act)
        }}
      >
        {fund.error && <ErrorMessage error={fund.error} />}
        <div class="pair">
          <SellPanel onChoose={() => setAsks('sell')} />
          <button
            type="button"
            class="flip"
            aria-label={t('Switch tokens')}
            title={t('Switch tokens (Alt + F)')}
            onClick={flip}
          >
            <Icon name="flip" size={18} />
          </button>
          <BuyPanel onChoose={() => setAsks('buy')} />
        </div>
        <QuoteCard network={network} slippageBps={slippageBps} atLeast={atLeast} onAsk={ask} />
        <div class={second ? 'act request-acts' : 'act'}>
          {second}
          <button class="main" type="submit" disabled={act.does === undefined || fund.isRunning}>
            {fund.isRunning ? t('Requesting test funds…') : act.label}
          </button>
        </div>
      </form>
      <QuoteAnnouncer />
      {asks && (
        <FormSheets
          asks={asks}
          network={network}
          account={account}
          slippageBps={slippageBps}
          onSetUp={onSetUp}
          onClose={() => setAsks(undefined)}
          onChosen={() => setChosen(true)}
        />
      )}
    </>
  )
}

/** Shows the output. An amount typed here is the minimum. */
function BuyPanel({ onChoose }: { onChoose(): void }) {
  const { trade, tokens, quote } = useStores()
  const form = useStore(trade, (state) => state)
  const state = useStore(quote, (now) => now)
  const balance = useStore(tokens, ({ balances }) => form.buy && balances[form.buy.address])
  const isTyped = form.side === 'buy'
  const pair = `${form.chainId} ${form.sell?.address} ${form.buy?.address}`
  const isLoading = !isTyped && state.status === 'loading'
  const last = useLatest(state.status === 'ready' ? { pair, returns: state.quote.returns } : undefined)
  // Dimmed until the next quote of the pair, rather than empty.
  const old = isLoading && last?.pair === pair ? last.returns : undefined
  return (
    <AmountPanel
      id="buy-amount"
      label={isTyped ? t('You receive (min)') : t('You receive')}
      typed={isTyped ? form.text : undefined}
      follows={state.status === 'ready' ? state.quote.returns : old}
      isWaiting={isLoading}
      isOld={old !== undefined || (!isTyped && isStaleQuote(state))}
      fault={isTyped ? validateAmount(form) : undefined}
      onInput={(text) => trade.setText(text, 'buy')}
      token={form.buy}
      balance={balance}
      chooseLabel={t('Token to buy')}
      onChoose={onChoose}
    />
  )
}
