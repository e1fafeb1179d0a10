import type { Network } from '../../domain/network/network.ts'
import { autoSlippage } from '../../domain/swap/slippage.ts'
import type { Address, Token } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import { effectiveSlippage } from '../../state/swap/swapForm.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { lazy } from '../lazy/lazy.tsx'
import type { SlippageForm } from './slippage/SlippageRow.tsx'
import { isAuto } from './slippage/slippageChip.ts'

const TokenPicker = lazy(() =>
  import('../tokens/picker/TokenPicker.tsx').then(({ TokenPicker }) => TokenPicker),
)
const SlippageSheet = lazy(() =>
  import('./slippage/SlippageSheet.tsx').then(({ SlippageSheet }) => SlippageSheet),
)
const RouteSheet = lazy(() => import('./quote/RouteSheet.tsx').then(({ RouteSheet }) => RouteSheet))
const TradeOptions = lazy(() => import('./TradeOptions.tsx').then(({ TradeOptions }) => TradeOptions))

type Props = {
  asks: SlippageForm
  network: Network
  account: Address
  /** A site may limit it. */
  slippageBps: number
  onSetUp: ((part?: 'routes') => void) | undefined
  onClose(): void
  onChosen(): void
}

/** Loads each sheet on demand. */
export function FormSheets({ asks, network, account, slippageBps, onSetUp, onClose, onChosen }: Props) {
  const { trade, settings } = useStores()
  const form = useStore(trade, (state) => state)
  const usual = useStore(settings, (state) => state.settings)
  const { sell, buy } = form
  const choose = (set: (token: Token) => void) => (token: Token) => {
    set(token)
    onChosen()
  }
  switch (asks) {
    case 'sell':
      return (
        <TokenPicker
          title={t('Token to sell')}
          chosen={sell}
          onChoose={choose(trade.setSell)}
          onClose={onClose}
        />
      )
    case 'buy':
      return (
        <TokenPicker
          title={t('Token to buy')}
          chosen={buy}
          onChoose={choose(trade.setBuy)}
          onClose={onClose}
        />
      )
    case 'slippage': {
      const chosenBps = effectiveSlippage(form, usual)
      return (
        <SlippageSheet
          title={t('Max slippage for this swap')}
          value={isAuto(form, usual) ? undefined : chosenBps}
          autoBps={autoSlippage(sell, buy, network)}
          usual={
            usual?.slippageBps === undefined
              ? undefined
              : {
                  bps: usual.slippageBps,
                  isChosen: form.slippageBps === undefined,
                  onChoose: () => trade.setSlippage(undefined),
                }
          }
          limitBps={slippageBps < chosenBps ? slippageBps : undefined}
          onChoose={(bps) => trade.setSlippage(bps ?? 'auto')}
          onClose={onClose}
        />
      )
    }
    case 'route':
      return <RouteSheet network={network} onClose={onClose} />
    case 'options':
      return (
        <TradeOptions
          network={network}
          account={account}
          onSettings={onSetUp && (() => onSetUp('routes'))}
          onClose={onClose}
        />
      )
  }
}
