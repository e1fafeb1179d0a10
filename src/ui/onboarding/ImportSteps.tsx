import { useState } from 'preact/hooks'
import { addressIn } from '../../domain/address/typedAddress.ts'
import { t } from '../../i18n/translate.ts'
import type { ImportSource } from '../../state/account.ts'
import { FormPage } from '../components/FormPage.tsx'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useStores } from '../hooks/data/useStore.ts'
import { useUnsavedEdits } from '../hooks/data/useUnsavedEdits.ts'
import { NewPassword } from '../secrets/NewPassword.tsx'
import { type WatchOnlyDraft, watchOnlyDraft } from './import/ImportAddress.tsx'
import { ImportForm } from './import/ImportForm.tsx'
import type { ImportMethod } from './import/importMethods.ts'
import { useOnboardingSteps } from './onboarding.ts'

export function ImportSteps({ method, onBack }: { method: ImportMethod; onBack(): void }) {
  const { account } = useStores()
  const [brought, setBrought] = useState<ImportSource | undefined>()
  // A watch-only address is public; phrases and keys are never stored as drafts.
  const { edits, edit, drop } = useUnsavedEdits<WatchOnlyDraft>(watchOnlyDraft)
  const address = method === 'watched' && edits.isAccepted ? addressIn(edits.address ?? '') : undefined
  const origin = brought ?? (address && ({ kind: 'watched', address } as const))
  const accept = (next: ImportSource) => {
    if (next.kind === 'watched') edit({ isAccepted: true })
    setBrought(next)
  }
  const giveUp = () => {
    edit({ isAccepted: false })
    setBrought(undefined)
  }
  const [password, setPassword] = useState<string | undefined>()
  const begin = useMutation(async (...args: Parameters<typeof account.begin>) => {
    await account.begin(...args)
    drop(edits)
  })
  const steps = useOnboardingSteps().bring
  if (origin === undefined) {
    return (
      <ImportForm
        method={method}
        step={{ at: 1, of: steps }}
        act={t('Continue')}
        onBack={onBack}
        onBrought={accept}
      />
    )
  }
  return (
    <FormPage
      title={t('Choose a password')}
      step={{ at: 2, of: steps }}
      onBack={giveUp}
      act={begin.isRunning ? t('Importing…') : t('Import')}
      isReady={password !== undefined && !begin.isRunning}
      onSubmit={() => password !== undefined && begin.run(password, origin)}
      error={begin.error}
    >
      <NewPassword onChange={setPassword} />
    </FormPage>
  )
}
