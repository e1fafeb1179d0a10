import { useState } from 'preact/hooks'
import { isFinal } from '../../domain/activity/intent.ts'
import { t } from '../../i18n/translate.ts'
import { Field } from '../components/Field.tsx'
import { FormPage } from '../components/FormPage.tsx'
import { Note } from '../components/Warning.tsx'
import { useActivity } from '../hooks/useActivity.ts'
import { useMutation } from '../hooks/useMutation.ts'
import { useStores } from '../hooks/useStore.ts'

/** Forgets the wallet, for whoever forgot the password or wants to begin anew: said in words, and typed. */
export function Reset({ onBack }: { onBack(): void }) {
  const { account } = useStores()
  const isUnderWay = useActivity(({ entries }) => entries?.some((one) => !isFinal(one)))
  const [text, setText] = useState('')
  const word = t('forget')
  const isTyped = text.trim().toLocaleLowerCase() === word.toLocaleLowerCase()
  const reset = useMutation(account.reset)
  return (
    <FormPage
      title={t('Start over')}
      onBack={onBack}
      act={reset.isRunning ? t('Forgetting…') : t('Forget this wallet')}
      isDanger
      isReady={isTyped && !reset.isRunning}
      onSubmit={() => reset.run()}
      error={reset.error}
    >
      <p>
        {t(
          'Nobody can tell you the password, and nobody can open the wallet without it. You can only start again: with your recovery phrase, or the keys that you imported, you get the same accounts again, under a new password.',
        )}
      </p>
      <Note>
        {t(
          'Without the phrase, or a key, everything in its accounts is lost for good. Look for your paper before you go on.',
        )}
      </Note>
      <p class="dim">
        {t(
          'This browser forgets everything but language and theme: keys, accounts, activity, sites, contacts, networks and settings.',
        )}{' '}
        {t('What the accounts hold stays on the chain.')}
      </p>
      {isUnderWay && (
        <Note>
          {t(
            'Something is still under way. What was sent goes on on the chain all the same; its record here goes too.',
          )}
        </Note>
      )}
      <Field
        label={t('Type “{word}” to go on', { word })}
        autocomplete="off"
        value={text}
        onInput={setText}
      />
    </FormPage>
  )
}
