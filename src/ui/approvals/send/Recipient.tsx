import type { Address } from '../../../domain/token/token.ts'
import { t } from '../../../i18n/translate.ts'
import { AddressGroups } from '../../components/address/AddressGroups.tsx'
import { CopyButton } from '../../components/fields/CopyButton.tsx'
import { useNames } from '../../hooks/data/useContacts.ts'

type Props = {
  address: Address
  of: string
  /** True for a first transfer. */
  isNew?: boolean
}

export function Recipient({ address, of, isNew = false }: Props) {
  const name = useNames()(address)
  return (
    <span class="payee">
      {name !== undefined && <span class="clip">{name}</span>}
      <CopyButton text={address} label={t('Copy address of {of}', { of })}>
        <AddressGroups address={address} />
      </CopyButton>
      {isNew && (
        <span class="dim small">{t('First time sending to this address. Check every character.')}</span>
      )}
    </span>
  )
}
