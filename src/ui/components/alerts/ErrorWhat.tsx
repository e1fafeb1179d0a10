import type { WalletError } from '../../../errors.ts'
import { useErrorMessage } from '../../messages/useMessages.ts'

/** Message without advice. */
export function ErrorWhat({ error }: { error: WalletError }) {
  return <>{useErrorMessage(error).what}</>
}
