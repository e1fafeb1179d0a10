import { t } from '../../i18n/translate.ts'
import { Page } from '../components/Page.tsx'
import { CreateWallet } from './CreateWallet.tsx'
import { ImportSteps } from './ImportSteps.tsx'
import { ImportMethods } from './import/ImportMethods.tsx'
import { parseImportMethod } from './import/importMethods.ts'

export function ImportWallet({
  way,
  onChoose,
  onBack,
}: {
  way: string
  onChoose: (way: string) => void
  /** `way` is the previous step, if any. */
  onBack: (way?: string) => void
}) {
  const method = parseImportMethod(way)
  if (way === 'create') return <CreateWallet onBack={() => onBack()} />
  if (method !== undefined) return <ImportSteps key={method} method={method} onBack={() => onBack('bring')} />
  return (
    <Page title={t('Import a wallet')} onBack={() => onBack()}>
      <ImportMethods onChoose={onChoose} />
      <p class="aside dim small">
        {t('Stored in this browser, encrypted with your password. You can add more later.')}
      </p>
    </Page>
  )
}
