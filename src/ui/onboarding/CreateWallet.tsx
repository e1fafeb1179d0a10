import { useState } from 'preact/hooks'
import { t } from '../../i18n/translate.ts'
import { FormPage } from '../components/FormPage.tsx'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useStores } from '../hooks/data/useStore.ts'
import { NewPassword } from '../secrets/NewPassword.tsx'
import { PhraseLength, usePhraseLength } from '../secrets/PhraseLength.tsx'
import { useOnboardingSteps } from './onboarding.ts'

export function CreateWallet({ onBack }: { onBack(): void }) {
  const { account } = useStores()
  const steps = useOnboardingSteps()
  const { words, setWords, dropWords } = usePhraseLength()
  const [password, setPassword] = useState<string | undefined>()
  const create = useMutation(async (password: string) => {
    await account.create(password, words)
    dropWords()
  })
  return (
    <FormPage
      title={t('Create a wallet')}
      step={{ at: 1, of: steps.create }}
      onBack={onBack}
      act={create.isRunning ? t('Creating…') : t('Create')}
      isReady={password !== undefined && !create.isRunning}
      onSubmit={() => password !== undefined && create.run(password)}
      error={create.error}
    >
      <NewPassword onChange={setPassword} />
      <PhraseLength value={words} onChange={setWords} />
    </FormPage>
  )
}
