import { t } from '../../language/translate.ts'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { Note } from '../parts/Note.tsx'
import { Page } from '../parts/Page.tsx'
import { PhraseGrid } from '../parts/PhraseGrid.tsx'
import { useStores, useTask } from '../use.ts'

/** The phrase of a fresh wallet. */
export function Phrase({ phrase }: { phrase: string }) {
  const { account } = useStores()
  const leave = useTask(account.leavePhrase)
  return (
    <Page
      title={t('Write these words down')}
      foot={
        <div class="stack">
          {leave.error && <ErrorNote error={leave.error} />}
          <button
            type="button"
            class="main"
            disabled={phrase === ''}
            onClick={() => leave.run({ written: true })}
          >
            {t('I wrote it down')}
          </button>
          <button
            type="button"
            class="plain"
            disabled={phrase === ''}
            onClick={() => leave.run({ written: false })}
          >
            {t('Later')}
          </button>
        </div>
      }
    >
      <Note>
        {t(
          'Whoever has these words has your funds, and without them nobody can bring the wallet back. Paper is better than a picture. We will never ask for them.',
        )}
      </Note>
      <PhraseGrid phrase={phrase} />
    </Page>
  )
}
