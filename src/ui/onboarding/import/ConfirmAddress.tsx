import type { Address } from '../../../domain/token/token.ts'
import { t } from '../../../i18n/translate.ts'
import { AddressGroups } from '../../components/address/AddressGroups.tsx'
import { Identicon } from '../../components/address/Identicon.tsx'
import { accountName } from '../../format/accountName.ts'
import { useStore, useStores } from '../../hooks/data/useStore.ts'
import '../../style/lazy/secret.css'

/** Shows the full address, and its name if already in the wallet. */
export function ConfirmAddress({ address }: { address: Address }) {
  const { account } = useStores()
  const known = useStore(account, (now) =>
    now.step === 'open' ? now.owned.find((one) => one.address === address) : undefined,
  )
  return (
    <section class="panel who-address" aria-label={t('Account')}>
      <Identicon address={address} size={36} />
      <span>
        <AddressGroups address={address} />
        {known && (
          <span class="dim small">
            <br />
            {known.isHidden
              ? t('Already in your wallet as {name} (hidden)', { name: accountName(known) })
              : t('Already in your wallet as {name}', { name: accountName(known) })}
          </span>
        )}
      </span>
    </section>
  )
}
