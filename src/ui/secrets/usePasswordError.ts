import type { WalletError } from '../../errors.ts'
import { t } from '../../i18n/translate.ts'
import { formatWait, useCountdown } from '../hooks/useCountdown.ts'
import { useMessage } from '../messages/useMessages.ts'

/** Returns the error, and the button's label while attempts are blocked. */
export function usePasswordError(error: WalletError | undefined) {
  const left = useCountdown(error)
  const said = useMessage(error)
  // Obsolete after the wait.
  const fault = error?.code === 'too-many-tries' && left === 0 ? undefined : said
  return { fault, wait: left > 0 ? t('Try again in {time}', { time: formatWait(left) }) : undefined }
}
