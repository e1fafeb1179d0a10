import { useMemo } from 'preact/hooks'
import { type ErrorCode, WalletError } from '../../errors.ts'
import { ErrorWhat } from './ErrorWhat.tsx'

/** Message of an error of which only the code is known. */
export function FaultWhat({ code }: { code: ErrorCode }) {
  const error = useMemo(() => new WalletError(code, ''), [code])
  return <ErrorWhat error={error} />
}
