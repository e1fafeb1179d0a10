import { useContext } from 'preact/hooks'
import { t } from '../../i18n/translate.ts'
import { isReachable } from '../../state/settings.ts'
import { effectiveSlippage, toReviewRequest } from '../../state/swap/swapForm.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { useIsWide } from '../hooks/useIsWide.ts'
import { lazy } from '../lazy/lazy.tsx'
import type { ScreenProps } from '../screenProps.ts'
import { Banners } from '../shell/Banners.tsx'
import { Header } from '../shell/Header.tsx'
import { WideContext } from '../shell/wideContext.ts'
import { SwapForm } from './SwapForm.tsx'

const WelcomeHint = lazy(() => import('../shell/WelcomeHint.tsx').then(({ WelcomeHint }) => WelcomeHint))
const RoutePane = lazy(() => import('./quote/RoutePane.tsx').then(({ RoutePane }) => RoutePane))

export function SwapScreen({ account, backedUp, network, settings, of }: ScreenProps) {
  const { trade, swap, router } = useStores()
  const form = useStore(trade, (state) => state)
  // A wide tab shows them in the column beside.
  const isAlone = useContext(WideContext) === undefined
  // As in style/lazy/wide.css.
  const hasRoute = useIsWide(1200) && !isAlone
  const slippageBps = effectiveSlippage(form, settings)
  return (
    <>
      <Header account={account} />
      <main class="swap">
        <h1 class="unseen">{t('Swap')}</h1>
        {isAlone && of === 'welcome' && <WelcomeHint at="swap" />}
        {isAlone && <Banners backedUp={backedUp} network={network} />}
        <SwapForm
          network={network}
          account={account.address}
          slippageBps={slippageBps}
          hasRoute={hasRoute}
          onSetUp={(part) =>
            isReachable(network)
              ? router.go('network', [network.chainId, part].filter(Boolean).join('-'))
              : router.go('begin')
          }
          onAddFunds={() => router.go('receive')}
          onReview={(price) =>
            swap.prepare({ account: account.address, ...toReviewRequest(price, form, slippageBps, network) })
          }
        />
        {hasRoute && <RoutePane network={network} />}
      </main>
    </>
  )
}
