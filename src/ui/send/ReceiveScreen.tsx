import { toChecksumAddress } from '../../domain/address/checksum.ts'
import { t, tx } from '../../i18n/translate.ts'
import { canSign } from '../../state/account.ts'
import { AddressGroups } from '../components/AddressGroups.tsx'
import { CopyButton } from '../components/CopyButton.tsx'
import { Page } from '../components/Page.tsx'
import { QrCode } from '../components/QrCode.tsx'
import { Warning } from '../components/Warning.tsx'
import { accountName } from '../format/accountName.ts'
import type { ScreenProps } from '../screenProps.ts'
import '../style/receive.css'
import { useStores } from '../hooks/useStore.ts'

/** Shows the address without URI scheme, so that every wallet reads the code. */
export function ReceiveScreen({ account, network }: ScreenProps) {
  const { router } = useStores()
  const address = toChecksumAddress(account.address)
  const name = accountName(account)
  return (
    <Page title={t('Receive')} onBack={router.back}>
      <section class="panel receive">
        <h2>{name}</h2>
        <QrCode text={address} label={t('Address QR code for {name}', { name })} />
        <AddressGroups address={account.address} />
        <CopyButton text={address} label={t('Copy address')}>
          <span class="link">{t('Copy address')}</span>
        </CopyButton>
      </section>
      {!canSign(account) && (
        <Warning>
          {t('This is a watch-only account. Make sure you or its owner has the private key.')}
        </Warning>
      )}
      <p class="aside small dim receive-where">
        {tx(
          'Only send assets on {network} to this address. You may not be able to access assets sent on other networks.',
          {
            network: <strong>{network.name}</strong>,
          },
        )}
      </p>
    </Page>
  )
}
