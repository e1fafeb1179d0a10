import { givesAllowance } from '../../../domain/signing/describeTypedData.ts'
import type { Permit } from '../../../domain/signing/description.ts'
import { isUnlimited } from '../../../domain/token/unlimited.ts'
import { t } from '../../../i18n/translate.ts'
import { Row } from '../../components/Row.tsx'
import { Until } from './AddressRow.tsx'

export function PermitTimes({ permit, now }: { permit: Permit; now: number }) {
  const { standard, isLasting, isUntilRevoked, terms } = permit
  return (
    <>
      {standard === 'Permit2' && (
        <Row name={t('Uses')}>{isLasting ? t('Repeatedly until it expires') : t('Once')}</Row>
      )}
      <Row name={isUntilRevoked ? t('Submission window') : t('Validity')}>
        <Until until={terms.until} now={now} />
      </Row>
      {isUntilRevoked && givesAllowance(permit) && (
        <Row name={t('Validity')}>
          {isBounded(permit) ? t('Until it’s used or you revoke it') : t('Until you revoke it')}
        </Row>
      )}
    </>
  )
}

function isBounded({ terms }: Permit): boolean {
  return terms.leaves.every(({ amount, item }) =>
    item === undefined ? !isUnlimited(amount) : item !== 'any',
  )
}
