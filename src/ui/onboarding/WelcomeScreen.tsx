import { useState } from 'preact/hooks'
import { t } from '../../i18n/translate.ts'
import { ErrorMessage } from '../components/ErrorMessage.tsx'
import { Logo } from '../components/Logo.tsx'
import { useMutation } from '../hooks/useMutation.ts'
import { useStore, useStores } from '../hooks/useStore.ts'
import { lazy } from '../lazy.tsx'

const Begin = lazy(() => import('./ImportWallet.tsx').then(({ ImportWallet: Begin }) => Begin))

/**
 * First screen. Onboarding continues in a tab, which is not closed on blur, except in the approval window.
 */
export function WelcomeScreen() {
  const { place, purpose, openTab } = useStores()
  const { at, of } = useStore(place, (now) => now)
  // The approval window's URL is taken, so its step is kept here.
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
        <Logo size={72} />
        <h1>Sluice</h1>
        <p class="dim">{t('Swap tokens at a price you can rely on. Your keys never leave this browser.')}</p>
      </div>
      <div class="stack">
        {go.error && <ErrorMessage error={go.error} />}
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
