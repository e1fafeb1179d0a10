import { useEffect } from 'preact/hooks'
import type { Stores } from '../state/stores.ts'
import { watchAttention } from './attention.ts'
import { later } from './later.tsx'
import { ErrorNote } from './parts/ErrorNote.tsx'
import { Home } from './screens/Home.tsx'
import { Unlock } from './screens/Unlock.tsx'
import { StoresProvider, use } from './use.ts'

const Welcome = later(() => import('./screens/Welcome.tsx').then(({ Welcome }) => Welcome))
const Phrase = later(() => import('./screens/Phrase.tsx').then(({ Phrase }) => Phrase))

/** The popup: which screen is up follows from the vault. */
export function App({ stores }: { stores: Stores }) {
  useEffect(() => watchAttention(stores), [stores])
  return (
    <StoresProvider value={stores}>
      <Screen stores={stores} />
    </StoresProvider>
  )
}

function Screen({ stores: { account } }: { stores: Stores }) {
  const state = use(account, (now) => now)
  switch (state.step) {
    case 'loading':
      return null
    case 'failed':
      return (
        <main class="hero">
          <ErrorNote error={state.error} />
          <button type="button" class="main" onClick={() => account.load()}>
            Try again
          </button>
        </main>
      )
    case 'welcome':
      return <Welcome />
    case 'phrase':
      return <Phrase phrase={state.phrase} />
    case 'locked':
      return <Unlock />
    case 'open':
      return <Home account={state.account} backedUp={state.backedUp} />
  }
}
