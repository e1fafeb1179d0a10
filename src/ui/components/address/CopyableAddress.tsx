import type { Address } from '../../../domain/token/token.ts'
import { t } from '../../../i18n/translate.ts'
import { shortAddress } from '../../format/address.ts'
import { useNames } from '../../hooks/data/useContacts.ts'
import { CopyButton } from '../fields/CopyButton.tsx'

export function CopyableAddress({ address, of }: { address: Address; of: string }) {
  const name = useNames()(address)
  return (
    <CopyButton text={address} label={t('Copy address of {of}', { of })}>
      {name !== undefined && <span class="clip">{name}</span>}
      <span class="num">{shortAddress(address)}</span>
    </CopyButton>
  )
}
