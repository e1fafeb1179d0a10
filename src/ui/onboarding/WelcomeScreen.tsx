import { useState } from 'preact/hooks'
import { t } from '../../i18n/translate.ts'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { Logo } from '../components/Logo.tsx'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { lazy } from '../lazy/lazy.tsx'

const ImportWallet = lazy(() => import('./ImportWallet.tsx').then(({ ImportWallet }) => ImportWallet))

/** Continues onboarding in a tab, which blur does not close, except in the approval window. */
export function WelcomeScreen() {
  const { router, purpose, openTab } = useStores()
  const { at, of } = useStore(router, (now) => now)
  // The approval window keeps its URL.
  const [chosen, setChosen] = useState<string | undefined>()
  const way = purpose === 'requests' ? chosen : at === 'begin' ? of : undefined
  const go = useMutation(async (next: string) => {
    if (purpose === 'requests') setChosen(next)
    else if (!(await openTab({ at: 'begin', of: next }))) router.go('begin', next)
  })
  if (way !== undefined) {
    return <ImportWallet way={way} onChoose={go.run} onBack={purpose === 'form' ? router.back : setChosen} />
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
