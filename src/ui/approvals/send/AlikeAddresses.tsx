import type { Risk } from '../../../domain/dapp/risks/risk.ts'
import { t } from '../../../i18n/translate.ts'
import { AddressGroups } from '../../components/address/AddressGroups.tsx'
import { useNames } from '../../hooks/data/useContacts.ts'

/** Similar addresses in full, to compare. */
export function AlikeAddresses({ risks }: { risks: Risk[] }) {
  const nameOf = useNames()
  return (
    <>
      {risks.map((risk) =>
        risk.kind === 'look-alike' ? (
          <dl key={risk.address} class="alike">
            <dt>{t('In this request')}</dt>
            <dd>
              <AddressGroups address={risk.address} />
            </dd>
            <dt class="clip">{nameOf(risk.of) ?? t('Known address')}</dt>
            <dd>
              <AddressGroups address={risk.of} />
            </dd>
          </dl>
        ) : null,
      )}
    </>
  )
}
