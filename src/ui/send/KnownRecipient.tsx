import type { Address } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import { AddressGroups } from '../components/address/AddressGroups.tsx'
import { Identicon } from '../components/address/Identicon.tsx'

type Props = {
  address: Address
  /** Name in the wallet. */
  name: string | undefined
  /** ENS name it was found by. */
  ensName?: string | undefined
}

export function KnownRecipient({ address, name, ensName }: Props) {
  const called = [name, ensName].filter((one) => one !== undefined).join(' · ')
  return (
    <section class="panel person" aria-label={t('Recipient')}>
      <Identicon address={address} size={32} />
      <span class="who">
        <span class="who-name" title={called}>
          {called || t('Not in your contacts')}
        </span>
        <AddressGroups address={address} />
      </span>
    </section>
  )
}
