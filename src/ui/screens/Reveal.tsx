import { useState } from 'preact/hooks'
import { t } from '../../language/translate.ts'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { Field } from '../parts/Field.tsx'
import { Note } from '../parts/Note.tsx'
import { Page } from '../parts/Page.tsx'
import { PhraseGrid } from '../parts/PhraseGrid.tsx'
import { useStores, useTask } from '../use.ts'
import { useSaid } from '../useWords.ts'

/** The phrase behind the password. It is here only as long as this screen is. */
export function Reveal({ backedUp, onBack }: { backedUp: boolean; onBack(): void }) {
  const { account } = useStores()
  const [password, setPassword] = useState('')
  const [phrase, setPhrase] = useState<string | undefined>()
  const reveal = useTask(async () => {
    setPhrase(await account.reveal(password))
    setPassword('')
  })
  const confirm = useTask(async () => {
    await account.confirmBackup()
    onBack()
  })

  const fault = useSaid(reveal.error)
  if (phrase !== undefined) {
    return (
      <Page
        title={t('Recovery phrase')}
        onBack={onBack}
        foot={
          backedUp ? undefined : (
            <div class="stack">
              {confirm.error && <ErrorNote error={confirm.error} />}
              <button type="button" class="main" disabled={confirm.isRunning} onClick={() => confirm.run()}>
                {t('I wrote it down')}
              </button>
            </div>
          )
        }
      >
        <Note>{t('Whoever sees these words can take your funds.')}</Note>
        <PhraseGrid phrase={phrase} />
      </Page>
    )
  }
  return (
    <form
      class="fill"
      onSubmit={(event) => {
        event.preventDefault()
        if (password !== '') reveal.run()
      }}
    >
      <Page
        title={t('Recovery phrase')}
        onBack={onBack}
        foot={
          <button class="main" type="submit" disabled={password === '' || reveal.isRunning}>
            {reveal.isRunning ? t('Checking…') : t('Show the phrase')}
          </button>
        }
      >
        <Note>
          {t('Make sure that nobody looks over your shoulder. Nobody honest will ever ask for these words.')}
        </Note>
        <Field
          label={t('Password')}
          type="password"
          autocomplete="current-password"
          isFirst
          value={password}
          onInput={setPassword}
          fault={fault}
        />
      </Page>
    </form>
  )
}
