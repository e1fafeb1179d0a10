import { useEffect } from 'preact/hooks'
import type { Stores } from '../state/stores.ts'
import { watchAttention } from './activityTracker.ts'
import { watchRequests } from './approvals/autoClose.ts'
import { KeyHelpOnKey } from './components/KeyHelpOnKey.tsx'
import { Retry } from './components/RetryScreen.tsx'
import { watchEscape } from './hooks/useEscape.ts'
import { StoresProvider, useStore } from './hooks/useStore.ts'
import { lazy } from './lazy.tsx'
import { preloadMessages } from './messages/useMessages.ts'
import { Unlock } from './onboarding/UnlockScreen.tsx'
import { Welcome } from './onboarding/WelcomeScreen.tsx'
import { Home } from './Routes.tsx'
import { UnreadChange } from './shell/UnreadChange.tsx'

const Requests = lazy(() => import('./approvals/RequestsScreen.tsx').then(({ Requests }) => Requests))
const Phrase = lazy(() => import('./onboarding/BackupPhrase.tsx').then(({ Phrase }) => Phrase))

/** Begins to fetch what is drawn first, as far as that can be told before the worker answers. */
export function prepare({ purpose }: Stores): void {
  // Where it does not come, its place says so.
  if (purpose === 'requests') Requests.fetch().catch(() => undefined)
}

/** The popup: which screen is up follows from the vault, and from what the window is for. */
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
      return <Retry error={state.error} onRetry={account.load} />
    case 'welcome':
      return <Welcome />
    case 'phrase':
      return <Phrase phrase={state.phrase} />
    case 'locked':
      return <Unlock />
    case 'open':
      return purpose === 'form' ? (
        <>
          <Home accounts={state.accounts} account={state.account} backedUp={state.backedUp} />
          <UnreadChange />
        </>
      ) : (
        <Requests />
      )
  }
}
