import type { WalletError } from '../../errors.ts'
import { useErrorMessage } from '../messages/useMessages.ts'

/** What went wrong, as the beginning of a longer sentence. */
export function ErrorWhat({ error }: { error: WalletError }) {
  return <>{useErrorMessage(error).what}</>
}
