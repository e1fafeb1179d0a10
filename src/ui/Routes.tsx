import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { isTab, type RouteName, type Tab } from '../state/router.ts'
import { currentNetwork } from '../state/settings.ts'
import { RetryScreen } from './components/RetryScreen.tsx'
import { HomeScreen } from './home/HomeScreen.tsx'
import { useStore, useStores } from './hooks/useStore.ts'
import { lazy } from './lazy.tsx'
import type { ScreenProps } from './screenProps.ts'
import { TabBar } from './shell/TabBar.tsx'

const Swap = lazy(() => import('./swap/SwapScreen.tsx').then(({ SwapScreen: Swap }) => Swap))
const Review = lazy(() => import('./reviewChunk.ts').then(({ ReviewScreen: Review }) => Review))
const Progress = lazy(() => import('./reviewChunk.ts').then(({ SwapProgress: Progress }) => Progress))

const tabs: Record<Tab, ComponentType<ScreenProps>> = {
  overview: HomeScreen,
  swap: Swap,
  activity: lazy(() => import('./activity/ActivityScreen.tsx').then(({ ActivityScreen: Activity }) => Activity)),
}

/** Screens that link to each other share one chunk (e.g. accountsChunk.ts) instead of one file each. */
const pages: Record<Exclude<RouteName, Tab>, ComponentType<ScreenProps>> = {
  settings: lazy(() => import('./settings/SettingsScreen.tsx').then(({ SettingsScreen: Settings }) => Settings)),
  networks: lazy(() => import('./networksChunk.ts').then(({ NetworksScreen: Networks }) => Networks)),
  network: lazy(() => import('./networksChunk.ts').then(({ NetworkScreen: Network }) => Network)),
  sites: lazy(() => import('./settings/SitesScreen.tsx').then(({ SitesScreen: Sites }) => Sites)),
  allowances: lazy(() => import('./reviewChunk.ts').then(({ AllowancesScreen: Allowances }) => Allowances)),
  entry: lazy(() => import('./activity/ActivityDetailsScreen.tsx').then(({ ActivityDetailsScreen: Entry }) => Entry)),
  send: lazy(() => import('./transfersChunk.ts').then(({ SendScreen: Send }) => Send)),
  contacts: lazy(() => import('./transfersChunk.ts').then(({ ContactsScreen: Contacts }) => Contacts)),
  receive: lazy(() => import('./send/ReceiveScreen.tsx').then(({ ReceiveScreen: Receive }) => Receive)),
  token: lazy(() => import('./tokens/TokenPage.tsx').then(({ TokenPage }) => TokenPage)),
  accounts: lazy(() => import('./accountsChunk.ts').then(({ AccountsScreen: Accounts }) => Accounts)),
  account: lazy(() => import('./accountsChunk.ts').then(({ AccountPage }) => AccountPage)),
  add: lazy(() => import('./accountsChunk.ts').then(({ AddAccountsScreen: AddAccounts }) => AddAccounts)),
  remove: lazy(() => import('./accountsChunk.ts').then(({ RemoveAccount: Remove }) => Remove)),
  phrase: lazy(() => import('./accountsChunk.ts').then(({ RevealPhrase: Reveal }) => Reveal)),
  key: lazy(() => import('./accountsChunk.ts').then(({ RevealPrivateKey: RevealKey }) => RevealKey)),
  password: lazy(() => import('./accountsChunk.ts').then(({ ChangePassword: Password }) => Password)),
  reset: lazy(() => import('./accountsChunk.ts').then(({ Forget }) => Forget)),
  begin: lazy(() => import('./onboarding/SetupNetworks.tsx').then(({ SetupNetworks: Begun }) => Begun)),
}

/** Content of an unlocked wallet: the swap in progress, or the current route. */
export function Home(who: Pick<ScreenProps, 'accounts' | 'account' | 'backedUp'>) {
  const stores = useStores()
  const stage = useStore(stores.swap, (state) => state.stage)
  const { settings, error } = useStore(stores.settings, (state) => state)
  const network = useStore(stores.settings, currentNetwork)
  const { at, of } = useStore(stores.place, (state) => state)
  // Prefetched: most users swap next.
  useEffect(() => void Swap.fetch().catch(() => undefined), [])

  if (settings === undefined || network === undefined) {
    return <RetryScreen error={error} onRetry={stores.load} />
  }
  if (stage.at === 'progress') return <Progress key={stage.id} id={stage.id} />
  if (stage.at !== 'form') {
    // Another window may have switched accounts.
    const acting = who.accounts.find(({ address }) => address === stage.plan.account) ?? who.account
    return <Review stage={stage} account={acting} />
  }
  const props = { ...who, network, settings, of }
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
