import { useEffect } from 'preact/hooks'
import type { Stores } from '../state/stores.ts'
import { watchAttention } from './activityTracker.ts'
import { watchRequests } from './approvals/autoClose.ts'
import { KeyHelpOnKey } from './components/KeyHelpOnKey.tsx'
import { RetryScreen } from './components/RetryScreen.tsx'
import { watchEscape } from './hooks/useEscape.ts'
import { StoresProvider, useStore } from './hooks/useStore.ts'
import { lazy } from './lazy.tsx'
import { preloadMessages } from './messages/useMessages.ts'
import { UnlockScreen } from './onboarding/UnlockScreen.tsx'
import { WelcomeScreen } from './onboarding/WelcomeScreen.tsx'
import { Home } from './Routes.tsx'
import { UnreadChange } from './shell/UnreadChange.tsx'

const RequestsScreen = lazy(() =>
  import('./approvals/RequestsScreen.tsx').then(({ RequestsScreen }) => RequestsScreen),
)
const BackupPhrase = lazy(() =>
  import('./onboarding/BackupPhrase.tsx').then(({ BackupPhrase }) => BackupPhrase),
)

/** Prefetches the first screen, as far as known before the worker answers. */
export function prepare({ purpose }: Stores): void {
  if (purpose === 'requests') RequestsScreen.fetch().catch(() => undefined)
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
