import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { isTab, type RouteName, type Tab } from '../state/router.ts'
import { currentNetwork } from '../state/settings.ts'
import type { SwapStage as SwapFlowStage } from '../state/swap/swapFlow.ts'
import { RetryScreen } from './components/alerts/RetryScreen.tsx'
import { HomeScreen } from './home/HomeScreen.tsx'
import { useStore, useStores } from './hooks/data/useStore.ts'
import { useIsWide } from './hooks/useIsWide.ts'
import { lazy } from './lazy/lazy.tsx'
import type { ScreenProps } from './screenProps.ts'
import { TabBar } from './shell/TabBar.tsx'
import { TokenChain } from './tokens/tokenLogos.ts'

const SwapScreen = lazy(() => import('./swap/SwapScreen.tsx').then(({ SwapScreen }) => SwapScreen))
const ReviewScreen = lazy(() => import('./lazy/reviewChunk.ts').then(({ ReviewScreen }) => ReviewScreen))
const SwapProgress = lazy(() => import('./lazy/reviewChunk.ts').then(({ SwapProgress }) => SwapProgress))
const WideFrame = lazy(() => import('./shell/WideFrame.tsx').then(({ WideFrame }) => WideFrame))

const tabs: Record<Tab, ComponentType<ScreenProps>> = {
  overview: HomeScreen,
  swap: SwapScreen,
  activity: lazy(() => import('./activity/ActivityScreen.tsx').then(({ ActivityScreen }) => ActivityScreen)),
}

/** Screens that link to each other share a chunk (e.g. accountsChunk.ts). */
const pages: Record<Exclude<RouteName, Tab>, ComponentType<ScreenProps>> = {
  settings: lazy(() => import('./settings/SettingsScreen.tsx').then(({ SettingsScreen }) => SettingsScreen)),
  networks: lazy(() => import('./lazy/networksChunk.ts').then(({ NetworksScreen }) => NetworksScreen)),
  network: lazy(() => import('./lazy/networksChunk.ts').then(({ NetworkScreen }) => NetworkScreen)),
  sites: lazy(() => import('./settings/SitesScreen.tsx').then(({ SitesScreen }) => SitesScreen)),
  allowances: lazy(() => import('./lazy/reviewChunk.ts').then(({ AllowancesScreen }) => AllowancesScreen)),
  entry: lazy(() =>
    import('./activity/ActivityDetailsScreen.tsx').then(({ ActivityDetailsScreen }) => ActivityDetailsScreen),
  ),
  send: lazy(() => import('./lazy/transfersChunk.ts').then(({ SendScreen }) => SendScreen)),
  contacts: lazy(() => import('./lazy/transfersChunk.ts').then(({ ContactsScreen }) => ContactsScreen)),
  receive: lazy(() => import('./send/ReceiveScreen.tsx').then(({ ReceiveScreen }) => ReceiveScreen)),
  token: lazy(() => import('./tokens/TokenPage.tsx').then(({ TokenPage }) => TokenPage)),
  accounts: lazy(() => import('./lazy/accountsChunk.ts').then(({ AccountsScreen }) => AccountsScreen)),
  account: lazy(() => import('./lazy/accountsChunk.ts').then(({ AccountPage }) => AccountPage)),
  add: lazy(() => import('./lazy/accountsChunk.ts').then(({ AddAccountsScreen }) => AddAccountsScreen)),
  remove: lazy(() => import('./lazy/accountsChunk.ts').then(({ RemoveAccount }) => RemoveAccount)),
  phrase: lazy(() => import('./lazy/accountsChunk.ts').then(({ RevealPhrase }) => RevealPhrase)),
  key: lazy(() => import('./lazy/accountsChunk.ts').then(({ RevealPrivateKey }) => RevealPrivateKey)),
  password: lazy(() => import('./lazy/accountsChunk.ts').then(({ ChangePassword }) => ChangePassword)),
  reset: lazy(() => import('./lazy/accountsChunk.ts').then(({ Forget }) => Forget)),
  begin: lazy(() => import('./onboarding/FirstNetwork.tsx').then(({ FirstNetwork }) => FirstNetwork)),
}

type HomeProps = Pick<ScreenProps, 'accounts' | 'account' | 'backedUp'>

/** Content of an unlocked wallet. */
export function Home(who: HomeProps) {
  const network = useStore(useStores().settings, currentNetwork)
  return (
    <TokenChain value={network?.chainId}>
      <Current {...who} />
    </TokenChain>
  )
}

function Current(who: HomeProps) {
  const stores = useStores()
  const stage = useStore(stores.swap, (state) => state.stage)
  const { settings, error } = useStore(stores.settings, (state) => state)
  const network = useStore(stores.settings, currentNetwork)
  const { at, of } = useStore(stores.router, (state) => state)
  const isWide = useIsWide()
  // Prefetched: most users swap next.
  useEffect(() => void SwapScreen.fetch().catch(() => undefined), [])

  if (settings === undefined || network === undefined) {
    return <RetryScreen error={error} onRetry={stores.load} />
  }
  const props = { ...who, network, settings, of }
  if (stage.at !== 'form') {
    const shown = <SwapStage stage={stage} who={who} />
    return isWide ? (
      <WideFrame {...props} isSwapping>
        {shown}
      </WideFrame>
    ) : (
      shown
    )
  }
  if (isWide) {
    // The home screen stands beside.
    const Shown = isTab(at) ? tabs[at === 'overview' ? 'swap' : at] : pages[at]
    return (
      <WideFrame {...props} isSwapping={false}>
        <Shown key={of} {...props} />
      </WideFrame>
    )
  }
  if (isTab(at)) {
    const Shown = tabs[at]
    return (
      <div class="fill">
        {/* First in tab order, drawn below the screen. */}
        <TabBar open={at} />
        <Shown {...props} />
      </div>
    )
  }
  const Shown = pages[at]
  // Remounts per account or token.
  return <Shown key={of} {...props} />
}

type StageProps = { stage: Exclude<SwapFlowStage, { at: 'form' }>; who: HomeProps }

function SwapStage({ stage, who }: StageProps) {
  if (stage.at === 'progress') return <SwapProgress key={stage.id} id={stage.id} />
  // Another window may have switched accounts and networks.
  const acting = who.accounts.find(({ address }) => address === stage.plan.account) ?? who.account
  return (
    <TokenChain value={stage.plan.trade.chainId}>
      <ReviewScreen stage={stage} account={acting} />
    </TokenChain>
  )
}
