import type { Network, Settings } from '../../domain/network.ts'
import { t } from '../../language/translate.ts'
import type { Account } from '../../protocol.ts'
import { planAt, slippageOf } from '../../state/trade.ts'
import { Banners } from '../parts/Banners.tsx'
import { Header } from '../parts/Header.tsx'
import { SwapForm } from '../parts/SwapForm.tsx'
import { use, useStores } from '../use.ts'

type Props = {
  account: Account
  backedUp: boolean
  network: Network
  settings: Settings
  onSettings(chainId?: number): void
}

/** The heart of the popup. */
export function Swap({ account, backedUp, network, settings, onSettings }: Props) {
  const { trade, swap } = useStores()
  const form = use(trade, (state) => state)
  const slippageBps = slippageOf(form, settings)
  return (
    <div class="fill">
      <Header account={account} onSettings={onSettings} />
      <main class="swap">
        <h1 class="unseen">{t('Swap')}</h1>
        <Banners backedUp={backedUp} onBackUp={() => onSettings()} />
        <SwapForm
          network={network}
          account={account.address}
          slippageBps={slippageBps}
          onSetUp={() => onSettings(network.chainId)}
          onReview={(price) =>
            swap.prepare({ account: account.address, ...planAt(price, form, slippageBps, network) })
          }
        />
      </main>
    </div>
  )
}
