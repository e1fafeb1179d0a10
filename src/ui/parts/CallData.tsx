import type { Call } from '../../domain/calls.ts'
import { formatAmount } from '../numbers.ts'
import { CopyButton } from './CopyButton.tsx'
import { Fold } from './Fold.tsx'
import { PublicAddress } from './PublicAddress.tsx'
import { Row } from './Row.tsx'

/** So much is shown, in hex digits; all of it is copied. */
const mostDigits = 2_000

/** The bytes of the calls, for those who read them. */
export function CallData({ calls, coin }: { calls: Call[]; coin: string }) {
  return (
    <Fold title={calls.length === 1 ? 'The call’s bytes' : 'The calls’ bytes'}>
      {calls.map(({ to, value, data }, at) => (
        <dl key={at} class="rows call-data">
          <Row name={calls.length === 1 ? 'To' : `${at + 1}, to`}>
            {to ? <PublicAddress address={to} of="the contract" /> : 'A new contract'}
          </Row>
          {value > 0n && (
            <Row name="Value">
              {formatAmount(value, 18)} {coin}
            </Row>
          )}
          <Row name="Data">
            <CopyButton text={data} label="Copy the data">
              {((data.length - 2) / 2).toLocaleString()} bytes
            </CopyButton>
          </Row>
          {data !== '0x' && (
            <pre class="call-bytes">
              {data.slice(0, mostDigits)}
              {data.length > mostDigits && '…'}
            </pre>
          )}
        </dl>
      ))}
    </Fold>
  )
}
