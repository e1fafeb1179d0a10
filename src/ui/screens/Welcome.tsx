import { useState } from 'preact/hooks'
import { t } from '../../language/translate.ts'
import { use, useStores } from '../hooks/use.ts'
import { useTask } from '../hooks/useTask.ts'
import { ImportMethods } from '../parts/bring/ImportMethods.tsx'
import { parseImportMethod } from '../parts/bring/importMethods.ts'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { Mark } from '../parts/Mark.tsx'
import { Page } from '../parts/Page.tsx'
import { Create } from './Create.tsx'
import { Import } from './Import.tsx'

/** The first minute: make a wallet or bring one. In a tab, where nothing closes it; only what a page asks for goes on where it is. */
export function Welcome() {
  const { place, purpose, openTab } = useStores()
  const { at, of } = use(place, (now) => now)
  // The address of the window for requests says that it is that.
  const [chosen, setChosen] = useState<string | undefined>()
  const way = purpose === 'requests' ? chosen : at === 'begin' ? of : undefined
  const go = useTask(async (next: string) => {
    if (purpose === 'requests') setChosen(next)
    else if (!(await openTab({ at: 'begin', of: next }))) place.go('begin', next)
  })
  const back = () => {
    if (purpose === 'form') place.back()
    else setChosen(parseImportMethod(way) === undefined ? undefined : 'bring')
  }

  const brought = parseImportMethod(way)
  if (way === 'create') return <Create onBack={back} />
  if (brought !== undefined) return <Import key={brought} method={brought} onBack={back} />
  if (way === 'bring') {
    return (
      <Page title={t('Import a wallet')} onBack={back}>
        <ImportMethods onChoose={go.run} />
        <p class="aside dim small">
          {t('It stays in this browser, behind a password of yours. More can be added later.')}
        </p>
      </Page>
    )
  }
  return (
    <main class="hero">
      <div class="hero-words">
        <Mark size={72} />
        <h1>Sluice</h1>
        <p class="dim">
          {t('Swap tokens at a price you can hold us to. Your keys never leave this browser.')}
        </p>
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
