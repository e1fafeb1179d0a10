import '../style/lazy/receive.css'
import { encode } from 'uqr'
import { getAddress } from 'viem'
import { t, tx } from '../../i18n/translate.ts'
import { canSign } from '../../state/account.ts'
import { AddressGroups } from '../components/address/AddressGroups.tsx'
import { Warning } from '../components/alerts/Warning.tsx'
import { CopyButton } from '../components/fields/CopyButton.tsx'
import { Page } from '../components/Page.tsx'
import { accountName } from '../format/accountName.ts'
import { useStores } from '../hooks/data/useStore.ts'
import type { ScreenProps } from '../screenProps.ts'

/** Shows the address without URI scheme, so that every wallet reads the code. */
export function ReceiveScreen({ account, network }: ScreenProps) {
  const { router } = useStores()
  const address = getAddress(account.address)
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

/** Quiet zone in modules (ISO/IEC 18004 requires four). */
const frame = 4

/** QR code of a text, dark on light in every theme: many readers require it. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = encode(text, { ecc: 'M', border: 0 })
  const across = size + 2 * frame
  const dots = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg class="qr" role="img" aria-label={label} viewBox={`${-frame} ${-frame} ${across} ${across}`}>
      <path d={dots.join('')} fill="#000" shape-rendering="crispEdges" />
    </svg>
  )
}
