import { useState } from 'preact/hooks'
import { t } from '../../language/translate.ts'
import { Mark } from '../parts/Mark.tsx'
import { Create } from './Create.tsx'
import { Import } from './Import.tsx'

/** The first minute: make a wallet or bring one. */
export function Welcome() {
  const [way, setWay] = useState<'choose' | 'create' | 'import'>('choose')
  const back = () => setWay('choose')
  if (way === 'create') return <Create onBack={back} />
  if (way === 'import') return <Import onBack={back} />
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
        <button type="button" class="main" onClick={() => setWay('create')}>
          {t('Create a wallet')}
        </button>
        <button type="button" class="second" onClick={() => setWay('import')}>
          {t('I have a recovery phrase')}
        </button>
      </div>
    </main>
  )
}
