import { useState } from 'preact/hooks'
import { t } from '../../i18n/translate.ts'
import { FormPage } from '../components/FormPage.tsx'
import { PasswordField } from '../components/fields/PasswordField.tsx'
import { Page } from '../components/Page.tsx'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useStores } from '../hooks/data/useStore.ts'
import { NewPassword } from '../secrets/NewPassword.tsx'
import { usePasswordError } from '../secrets/usePasswordError.ts'

export function ChangePassword() {
  const { account, router } = useStores()
  const [old, setOld] = useState('')
  const [next, setNext] = useState<string | undefined>()
  const [isDone, setDone] = useState(false)
  const change = useMutation(async (next: string) => {
    await account.changePassword(old, next)
    setDone(true)
  })
  const { fault, wait } = usePasswordError(change.error)
  if (isDone) {
    return (
      <Page
        title={t('Change password')}
        onBack={router.back}
        foot={
          <button type="button" class="main" onClick={router.back}>
            {t('Done')}
          </button>
        }
      >
        <p role="status">{t('Password changed. From now on, only your new password unlocks Sluice.')}</p>
      </Page>
    )
  }
  return (
    <FormPage
      title={t('Change password')}
      onBack={router.back}
      act={wait ?? (change.isRunning ? t('Changing…') : t('Change'))}
      isReady={old !== '' && next !== undefined && !change.isRunning && wait === undefined}
      onSubmit={() => next !== undefined && change.run(next)}
    >
      <PasswordField
        label={t('Current password')}
        autocomplete="current-password"
        isFirst
        value={old}
        onInput={setOld}
        fault={fault}
      />
      <NewPassword label={t('New password')} onChange={setNext} />
    </FormPage>
  )
}
