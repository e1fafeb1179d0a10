import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { isTab, type RouteName, type Tab } from '../state/router.ts'
import { currentNetwork } from '../state/settings.ts'
import { Retry } from './components/RetryScreen.tsx'
import { Overview } from './home/HomeScreen.tsx'
import { useStore, useStores } from './hooks/useStore.ts'
import { lazy } from './lazy.tsx'
import type { ScreenProps } from './screenProps.ts'
import { TabBar } from './shell/TabBar.tsx'

const Swap = lazy(() => import('./swap/SwapScreen.tsx').then(({ Swap }) => Swap))
const Review = lazy(() => import('./reviewChunk.ts').then(({ Review }) => Review))
const Progress = lazy(() => import('./reviewChunk.ts').then(({ Progress }) => Progress))

const tabs: Record<Tab, ComponentType<ScreenProps>> = {
  overview: Overview,
  swap: Swap,
  activity: lazy(() => import('./activity/ActivityScreen.tsx').then(({ Activity }) => Activity)),
}

/**
 * Screens that lead to each other are fetched from one chunk of the build, which lists them (accountsChunk.ts): imported each by itself,
 * they would be a file each, or one with another file before it for each of them.
 */
const pages: Record<Exclude<RouteName, Tab>, ComponentType<ScreenProps>> = {
  settings: lazy(() => import('./settings/SettingsScreen.tsx').then(({ Settings }) => Settings)),
  networks: lazy(() => import('./networksChunk.ts').then(({ Networks }) => Networks)),
  network: lazy(() => import('./networksChunk.ts').then(({ Network }) => Network)),
  sites: lazy(() => import('./settings/SitesScreen.tsx').then(({ Sites }) => Sites)),
  allowances: lazy(() => import('./reviewChunk.ts').then(({ Allowances }) => Allowances)),
  entry: lazy(() => import('./activity/ActivityDetailsScreen.tsx').then(({ Entry }) => Entry)),
  send: lazy(() => import('./transfersChunk.ts').then(({ Send }) => Send)),
  contacts: lazy(() => import('./transfersChunk.ts').then(({ Contacts }) => Contacts)),
  receive: lazy(() => import('./send/ReceiveScreen.tsx').then(({ Receive }) => Receive)),
  token: lazy(() => import('./tokens/TokenPage.tsx').then(({ TokenPage }) => TokenPage)),
  accounts: lazy(() => import('./accountsChunk.ts').then(({ Accounts }) => Accounts)),
  account: lazy(() => import('./accountsChunk.ts').then(({ AccountPage }) => AccountPage)),
  add: lazy(() => import('./accountsChunk.ts').then(({ AddAccounts }) => AddAccounts)),
  remove: lazy(() => import('./accountsChunk.ts').then(({ Remove }) => Remove)),
  phrase: lazy(() => import('./accountsChunk.ts').then(({ Reveal }) => Reveal)),
  key: lazy(() => import('./accountsChunk.ts').then(({ RevealKey }) => RevealKey)),
  password: lazy(() => import('./accountsChunk.ts').then(({ Password }) => Password)),
  reset: lazy(() => import('./accountsChunk.ts').then(({ Forget }) => Forget)),
  begin: lazy(() => import('./onboarding/SetupNetworks.tsx').then(({ Begun }) => Begun)),
}

/** What an open wallet shows: a swap on its way, or the place where the user is. */
export function Home(who: Pick<ScreenProps, 'accounts' | 'account' | 'backedUp'>) {
  const stores = useStores()
  const stage = useStore(stores.swap, (state) => state.stage)
  const { settings, error } = useStore(stores.settings, (state) => state)
  const network = useStore(stores.settings, currentNetwork)
  const { at, of } = useStore(stores.place, (state) => state)
  // The form is what most come for: it is fetched while they look at what they have.
  useEffect(() => void Swap.fetch().catch(() => undefined), [])

  if (settings === undefined || network === undefined) {
    return <Retry error={error} onRetry={stores.load} />
  }
  if (stage.at === 'progress') return <Progress key={stage.id} id={stage.id} />
  if (stage.at !== 'form') {
    // Another window may have chosen another account meanwhile.
    const acting = who.accounts.find(({ address }) => address === stage.plan.account) ?? who.account
    return <Review stage={stage} account={acting} />
  }
  const props = { ...who, network, settings, of }
  if (isTab(at)) {
    const Shown = tabs[at]
    return (
      <div class="fill">
        {/* Before the screen in tab order, so that a long list does not stand between; shown below it. */}
        <TabBar open={at} />
        <Shown {...props} />
      </div>
    )
  }
  const Shown = pages[at]
  // Of two accounts, or two tokens, each has its own page.
  return <Shown key={of} {...props} />
}
