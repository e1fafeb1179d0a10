import type { WalletError } from '../../../errors.ts'
import { t } from '../../../i18n/translate.ts'
import { useMutation } from '../../hooks/data/useMutation.ts'
import { ErrorMessage } from './ErrorMessage.tsx'

type Props = { error: WalletError | undefined; onRetry(): Promise<unknown> }

export function RetryScreen({ error, onRetry }: Props) {
  const retry = useMutation(onRetry)
  return (
    <main class="hero">
      {error && <ErrorMessage error={error} />}
      <button type="button" class="main" disabled={retry.isRunning} onClick={() => retry.run()}>
        {t('Try again')}
      </button>
    </main>
  )
}
