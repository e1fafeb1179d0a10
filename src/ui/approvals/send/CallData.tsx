import type { Call } from '../../../domain/activity/callBatch.ts'
import { t } from '../../../i18n/translate.ts'
import { CopyableAddress } from '../../components/address/CopyableAddress.tsx'
import { Disclosure } from '../../components/Disclosure.tsx'
import { CopyButton } from '../../components/fields/CopyButton.tsx'
import { Row } from '../../components/Row.tsx'
import { formatBytes } from '../../format/bytes.ts'
import { formatAmount } from '../../format/numbers.ts'

/** Hex digits shown. The copy button copies all of them. */
const maxDigits = 2_000

export function CallData({ calls, coin }: { calls: Call[]; coin: string }) {
  return (
    <Disclosure title={toTitle(calls)}>
      {calls.map(({ to, value, data }, at) => (
        <dl key={at} class="rows call-data">
          <Row name={calls.length === 1 ? t('To') : t('To (call {number})', { number: at + 1 })}>
            {to ? <CopyableAddress address={to} of={t('the contract')} /> : t('New contract')}
          </Row>
          {value > 0n && (
            <Row name={t('Value')}>
              {formatAmount(value, 18)} {coin}
            </Row>
          )}
          <Row name={t('Data')}>
            <CopyButton text={data} label={t('Copy data')}>
              {formatBytes((data.length - 2) / 2)}
            </CopyButton>
          </Row>
          {data !== '0x' && (
            <pre class="call-bytes" dir="ltr">
              {data.slice(0, maxDigits)}
              {data.length > maxDigits && '…'}
            </pre>
          )}
        </dl>
      ))}
    </Disclosure>
  )
}

function toTitle(calls: Call[]): string {
  if (calls.length > 1) return t('Raw data')
  return calls[0]?.to === undefined ? t('New contract bytecode') : t('Raw data')
}
