import { useEffect, useState } from 'preact/hooks'
import { createUnreadChange } from '../state/drafts/unreadChange.ts'
import type { Stores } from '../state/stores.ts'
import { watchAttention } from './activityTracker.ts'
import { watchRequests } from './approvals/autoClose.ts'
import { RetryScreen } from './components/alerts/RetryScreen.tsx'
import { prefetchHome } from './home/HomeScreen.tsx'
import { StoresProvider, useStore, useStores } from './hooks/data/useStore.ts'
import { watchEscape } from './hooks/useEscape.ts'
import { lazy } from './lazy/lazy.tsx'
import { preloadMessages } from './messages/useMessages.ts'
import { UnlockScreen } from './onboarding/UnlockScreen.tsx'
import { WelcomeScreen } from './onboarding/WelcomeScreen.tsx'
import { Home } from './Routes.tsx'
import { shortcut } from './swap/shortcuts.ts'

const RequestsScreen = lazy(() =>
  import('./approvals/RequestsScreen.tsx').then(({ RequestsScreen }) => RequestsScreen),
)
const BackupPhrase = lazy(() =>
  import('./onboarding/BackupPhrase.tsx').then(({ BackupPhrase }) => BackupPhrase),
)

/** Prefetches the first screen, as far as known before the worker answers. */
export function prepare({ purpose, router }: Stores): void {
  if (purpose === 'requests') RequestsScreen.fetch().catch(() => undefined)
  else if (router.getState().at === 'overview') prefetchHome()
}

/** Root of the popup and the approval window. */
export function App({ stores }: { stores: Stores }) {
  useEffect(() => watchAttention(stores), [stores])
  useEffect(preloadMessages, [])
  useEffect(watchEscape, [])
  useEffect(() => {
    if (stores.purpose === 'requests') return watchRequests(stores, () => window.close())
  }, [stores])
  return (
    <StoresProvider value={stores}>
      <Screen stores={stores} />
      {stores.purpose === 'form' && <KeyHelpOnKey />}
    </StoresProvider>
  )
}

function Screen({ stores: { account, purpose } }: { stores: Stores }) {
  const state = useStore(account, (now) => now)
  switch (state.step) {
    case 'loading':
      return null
    case 'failed':
      return <RetryScreen error={state.error} onRetry={account.load} />
    case 'welcome':
      return <WelcomeScreen />
    case 'phrase':
      return <BackupPhrase phrase={state.phrase} />
    case 'locked':
      return <UnlockScreen />
    case 'open':
      return purpose === 'form' ? (
        <>
          <Home accounts={state.accounts} account={state.account} backedUp={state.backedUp} />
          <UnreadChange />
        </>
      ) : (
        <RequestsScreen />
      )
  }
}

const KeyHelp = lazy(() => import('./swap/ShortcutsSheet.tsx').then(({ ShortcutsSheet: KeyHelp }) => KeyHelp))

/** Shows the keyboard shortcuts on "?". */
function KeyHelpOnKey() {
  const { settings } = useStores()
  const [isOpen, setOpen] = useState(false)
  const isOff = useStore(settings, ({ settings }) => settings?.shortcuts === false)
  useEffect(() => {
    if (isOff) return
    const listen = shortcut({ '?': () => setOpen(true) })
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [isOff])
  return isOpen && <KeyHelp onClose={() => setOpen(false)} />
}

const ChangeToast = lazy(() => import('./shell/ChangeToast.tsx').then(({ ChangeToast }) => ChangeToast))

/** Tells how a change ended whose popup was closed by the browser's question. */
function UnreadChange() {
  const stores = useStores()
  const unread = stores.get(createUnreadChange)
  const change = useStore(unread, (state) => state.change)
  const settings = useStore(stores.settings, (state) => state.settings)
  const isWaiting = change !== undefined && change.outcome === undefined
  useEffect(() => void unread.load(), [unread])
  // The prompt may still be open: the permission comes with new settings.
  useEffect(() => {
    if (isWaiting) unread.load()
  }, [settings])
  return change && <ChangeToast change={change} onClose={unread.close} />
}
