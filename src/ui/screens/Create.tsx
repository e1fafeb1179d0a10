import { useState } from 'preact/hooks'
import { t } from '../../language/translate.ts'
import { Choice } from '../parts/Choice.tsx'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { NewPassword } from '../parts/NewPassword.tsx'
import { Page } from '../parts/Page.tsx'
import { useStores, useTask } from '../use.ts'

/** A new wallet: a password, and how long its phrase shall be. */
export function Create({ onBack }: { onBack(): void }) {
  const { account } = useStores()
  const [words, setWords] = useState<12 | 24>(12)
  const [password, setPassword] = useState<string | undefined>()
  const create = useTask(account.create)
  return (
    <form
      class="fill"
      onSubmit={(event) => {
        event.preventDefault()
        if (password !== undefined) create.run(password, words)
      }}
    >
      <Page
        title={t('Create a wallet')}
        onBack={onBack}
        foot={
          <button class="main" type="submit" disabled={password === undefined || create.isRunning}>
            {create.isRunning ? t('Creating…') : t('Create')}
          </button>
        }
      >
        <p class="dim">{t('The password locks the wallet on this computer. Nobody can reset it for you.')}</p>
        <NewPassword onChange={setPassword} />
        <Choice
          legend={t('Length of the recovery phrase')}
          options={[
            { value: 12, label: t('12 words') },
            { value: 24, label: t('24 words') },
          ]}
          value={words}
          onChange={(count) => setWords(count)}
        />
        {create.error && <ErrorNote error={create.error} />}
      </Page>
    </form>
  )
}
