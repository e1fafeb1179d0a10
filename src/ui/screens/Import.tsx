import { useState } from 'preact/hooks'
import { t } from '../../language/translate.ts'
import type { Origin } from '../../state/account.ts'
import { useStores } from '../hooks/use.ts'
import { useTask } from '../hooks/useTask.ts'
import { Bring } from '../parts/bring/Bring.tsx'
import type { ImportMethod } from '../parts/bring/importMethods.ts'
import { FormPage } from '../parts/FormPage.tsx'
import { NewPassword } from '../parts/secrets/NewPassword.tsx'
import { stepsFor } from './onboarding.ts'

/** A wallet of what somebody has: that first, then the password that shall lock it. */
export function Import({ method, onBack }: { method: ImportMethod; onBack(): void }) {
  const { account, purpose } = useStores()
  const [origin, setOrigin] = useState<Origin | undefined>()
  const [password, setPassword] = useState<string | undefined>()
  const begin = useTask(account.begin)
  const steps = stepsFor(purpose).bring
  if (origin === undefined) {
    return (
      <Bring
        method={method}
        step={{ at: 1, of: steps }}
        act={t('Continue')}
        onBack={onBack}
        onBrought={setOrigin}
      />
    )
  }
  return (
    <FormPage
      title={t('Choose a password')}
      step={{ at: 2, of: steps }}
      onBack={() => setOrigin(undefined)}
      act={begin.isRunning ? t('Importing…') : t('Import')}
      isReady={password !== undefined && !begin.isRunning}
      onSubmit={() => password !== undefined && begin.run(password, origin)}
      error={begin.error}
    >
      <NewPassword onChange={setPassword} />
    </FormPage>
  )
}
