import { t } from '../../i18n/translate.ts'
import { effectiveSlippage, toReviewRequest } from '../../state/swap/swapForm.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import type { ScreenProps } from '../screenProps.ts'
import { Banners } from '../shell/Banners.tsx'
import { Header } from '../shell/Header.tsx'
import { SwapForm } from './SwapForm.tsx'

export function SwapScreen({ account, backedUp, network, settings }: ScreenProps) {
  const { trade, swap, router } = useStores()
  const form = useStore(trade, (state) => state)
  const slippageBps = effectiveSlippage(form, settings)
  return (
    <>
      <Header account={account} />
      <main class="swap">
        <h1 class="unseen">{t('Swap')}</h1>
        <Banners backedUp={backedUp} network={network} />
        <SwapForm
          network={network}
          account={account.address}
          slippageBps={slippageBps}
          onSetUp={() => router.go('network', String(network.chainId))}
          onReview={(price) =>
            swap.prepare({ account: account.address, ...toReviewRequest(price, form, slippageBps, network) })
          }
        />
      </main>
    </>
  )
}
