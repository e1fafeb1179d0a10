import { t } from '../../i18n/translate.ts'
import { Page } from '../components/Page.tsx'
import { Create } from './CreateWallet.tsx'
import { Import } from './ImportSteps.tsx'
import { ImportMethods } from './import/ImportMethods.tsx'
import { parseImportMethod } from './import/importMethods.ts'

/** What Welcome leads to: a new wallet, or the ways to bring one. */
export function Begin({
  way,
  onChoose,
  onBack,
}: {
  way: string
  onChoose: (way: string) => void
  /** To the way before, if there is one. */
  onBack: (way?: string) => void
}) {
  const method = parseImportMethod(way)
  if (way === 'create') return <Create onBack={() => onBack()} />
  if (method !== undefined) return <Import key={method} method={method} onBack={() => onBack('bring')} />
  return (
    <Page title={t('Import a wallet')} onBack={() => onBack()}>
      <ImportMethods onChoose={onChoose} />
      <p class="aside dim small">
        {t('Stored in this browser, encrypted with your password. You can add more later.')}
      </p>
    </Page>
  )
}
