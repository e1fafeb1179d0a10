import type { WalletError } from '../../errors.ts'
import { useErrorMessage } from '../messages/useMessages.ts'

/** Error message without advice, to begin a longer text. */
export function ErrorWhat({ error }: { error: WalletError }) {
  return <>{useErrorMessage(error).what}</>
}
