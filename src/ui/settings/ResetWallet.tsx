import { useState } from 'preact/hooks'
import { isOwnActivity } from '../../domain/activity/incoming.ts'
import { hasOutcome } from '../../domain/activity/intent.ts'
import { t } from '../../i18n/translate.ts'
import { Warning } from '../components/alerts/Warning.tsx'
import { FormPage } from '../components/FormPage.tsx'
import { Field } from '../components/fields/Field.tsx'
import { useActivity } from '../hooks/data/useActivity.ts'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useStores } from '../hooks/data/useStore.ts'

/** Deletes the wallet after a typed confirmation. */
export function ResetWallet({ onBack }: { onBack(): void }) {
  const { account } = useStores()
  const isUnderWay = useActivity(({ entries }) =>
    entries?.filter(isOwnActivity).some((one) => !hasOutcome(one)),
  )
  const [text, setText] = useState('')
  const word = t('reset')
  const isTyped = text.trim().toLocaleLowerCase() === word.toLocaleLowerCase()
  const reset = useMutation(account.reset)
  return (
    <FormPage
      title={t('Reset wallet')}
      onBack={onBack}
      act={reset.isRunning ? t('Resetting…') : t('Reset wallet')}
      isDanger
      isReady={isTyped && !reset.isRunning}
      onSubmit={() => reset.run()}
      error={reset.error}
    >
      <p>
        {t(
          'No one can recover your password or open the wallet without it. You can only reset the wallet, then restore the same accounts from your recovery phrase or private keys and choose a new password.',
        )}
      </p>
      <Warning>
        {t(
          'Without your recovery phrase or private keys, everything in your accounts is lost permanently. Find your backup before you continue.',
        )}
      </Warning>
      <p class="dim">
        {t(
          'This deletes your keys, accounts, activity, sites, contacts, networks and settings from this browser. Only language and theme are kept.',
        )}{' '}
        {t('Your assets stay on the blockchain.')}
      </p>
      {isUnderWay && (
        <Warning>
          {t(
            'You have pending activity. Anything already sent continues on the blockchain, but its record here will be deleted.',
          )}
        </Warning>
      )}
      <Field
        label={t('Type “{word}” to confirm', { word })}
        autocomplete="off"
        value={text}
        onInput={setText}
      />
    </FormPage>
  )
}
