import { useMemo } from 'preact/hooks'
import { type ErrorCode, WalletError } from '../../errors.ts'
import { ErrorWhat } from './ErrorWhat.tsx'

/** What a code says, where it is all that is known of an error. */
export function ErrorCause({ code }: { code: ErrorCode }) {
  const error = useMemo(() => new WalletError(code, ''), [code])
  return <ErrorWhat error={error} />
}
