import type { WalletError } from '../../errors.ts'
import { useSentence } from '../messages/useMessages.ts'

/** What went wrong, as the beginning of a longer sentence. */
export function ErrorWhat({ error }: { error: WalletError }) {
  return <>{useSentence(error).what}</>
}
