import { useMemo } from 'preact/hooks'
import { type ErrorCode, WalletError } from '../../../errors.ts'
import { ErrorWhat } from './ErrorWhat.tsx'

/** Message of an error known by its code alone. */
export function ErrorCause({ code }: { code: ErrorCode }) {
  const error = useMemo(() => new WalletError(code, ''), [code])
  return <ErrorWhat error={error} />
}
