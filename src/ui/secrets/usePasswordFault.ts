import type { WalletError } from '../../errors.ts'
import { t } from '../../i18n/translate.ts'
import { formatWait, useCountdown } from '../hooks/useCountdown.ts'
import { useMessage } from '../messages/useMessages.ts'

/** What stands below a password that did not open, and what the button says while none may be tried. */
export function usePasswordError(error: WalletError | undefined) {
  const left = useCountdown(error)
  const said = useMessage(error)
  // When the wait is over there is nothing left to say of it.
  const fault = error?.code === 'too-many-tries' && left === 0 ? undefined : said
  return { fault, wait: left > 0 ? t('Try again in {time}', { time: formatWait(left) }) : undefined }
}
