import type { WalletError } from '../../errors.ts'
import { t } from '../../i18n/translate.ts'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { Warning } from '../components/alerts/Warning.tsx'
import { Page } from '../components/Page.tsx'
import { Stepper, type StepperProps } from '../components/Stepper.tsx'
import { PhraseGrid } from './PhraseGrid.tsx'

type Props = {
  /** Empty until generated. */
  phrase: string
  step?: StepperProps
  onWritten(): void
  onLater(): void
  error?: WalletError | undefined
}

export function WriteDownPhrase({ phrase, step, onWritten, onLater, error }: Props) {
  return (
    <Page
      title={t('Write down your recovery phrase')}
      foot={
        <div class="stack">
          {error && <ErrorMessage error={error} />}
          <button type="button" class="main" disabled={phrase === ''} onClick={onWritten}>
            {t('I’ve written it down')}
          </button>
          <button type="button" class="plain" disabled={phrase === ''} onClick={onLater}>
            {t('Later')}
          </button>
        </div>
      }
    >
      {step && <Stepper {...step} />}
      <Warning>
        {t(
          'Anyone with these words can take your funds. If you lose them, no one can recover your wallet. Write them on paper; don’t take a photo. Never share them with anyone.',
        )}
      </Warning>
      <PhraseGrid phrase={phrase} />
    </Page>
  )
}
