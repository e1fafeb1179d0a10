import type { WalletError } from '../../errors.ts'
import { t } from '../../i18n/translate.ts'
import { useMutation } from '../hooks/useMutation.ts'
import { ErrorNote } from './ErrorMessage.tsx'

type Props = { error: WalletError | undefined; onRetry(): Promise<unknown> }

/** A whole screen that could not be filled, and the way to try again. */
export function Retry({ error, onRetry }: Props) {
  const retry = useMutation(onRetry)
  return (
    <main class="hero">
      {error && <ErrorNote error={error} />}
      <button type="button" class="main" disabled={retry.isRunning} onClick={() => retry.run()}>
        {t('Try again')}
      </button>
    </main>
  )
}
