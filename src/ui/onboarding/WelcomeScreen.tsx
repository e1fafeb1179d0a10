import { useState } from 'preact/hooks'
import { t } from '../../i18n/translate.ts'
import { ErrorNote } from '../components/ErrorMessage.tsx'
import { Mark } from '../components/Logo.tsx'
import { useMutation } from '../hooks/useMutation.ts'
import { useStore, useStores } from '../hooks/useStore.ts'
import { lazy } from '../lazy.tsx'

const Begin = lazy(() => import('./ImportWallet.tsx').then(({ Begin }) => Begin))

/** The first minute: make a wallet or bring one. In a tab, where nothing closes it; only what a page asks for goes on where it is. */
export function Welcome() {
  const { place, purpose, openTab } = useStores()
  const { at, of } = useStore(place, (now) => now)
  // The address of the window for requests says that it is that.
  const [chosen, setChosen] = useState<string | undefined>()
  const way = purpose === 'requests' ? chosen : at === 'begin' ? of : undefined
  const go = useMutation(async (next: string) => {
    if (purpose === 'requests') setChosen(next)
    else if (!(await openTab({ at: 'begin', of: next }))) place.go('begin', next)
  })
  if (way !== undefined) {
    return <Begin way={way} onChoose={go.run} onBack={purpose === 'form' ? place.back : setChosen} />
  }
  return (
    <main class="hero">
      <div class="hero-words">
        <Mark size={72} />
        <h1>Sluice</h1>
        <p class="dim">{t('Swap tokens at a price you can rely on. Your keys never leave this browser.')}</p>
      </div>
      <div class="stack">
        {go.error && <ErrorNote error={go.error} />}
        <button type="button" class="main" onClick={() => go.run('create')}>
          {t('Create a wallet')}
        </button>
        <button type="button" class="second" onClick={() => go.run('bring')}>
          {t('I already have a wallet')}
        </button>
      </div>
    </main>
  )
}
