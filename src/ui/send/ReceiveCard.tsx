import '../style/lazy/receive.css'
import type { ComponentChildren } from 'preact'
import { encode } from 'uqr'
import { getAddress } from 'viem'
import { t } from '../../i18n/translate.ts'
import type { OwnAccount } from '../../protocol.ts'
import { AddressGroups } from '../components/address/AddressGroups.tsx'
import { CopyButton } from '../components/fields/CopyButton.tsx'
import { accountName } from '../format/accountName.ts'

type Props = {
  account: OwnAccount
  heading?: string
  /** Puts the code last, where little height is left. */
  isCompact?: boolean
  children: ComponentChildren
}

/** Shows the address without URI scheme, so that every wallet reads the code. */
export function ReceiveCard({ account, heading, isCompact = false, children }: Props) {
  const address = getAddress(account.address)
  const code = (
    <QrCode text={address} label={t('Address QR code for {name}', { name: accountName(account) })} />
  )
  return (
    <section class={isCompact ? 'panel receive receive-compact' : 'panel receive'}>
      {heading !== undefined && <h2>{heading}</h2>}
      {children}
      {isCompact || code}
      <AddressGroups address={account.address} />
      <CopyButton text={address} label={t('Copy address')}>
        <span class="link">{t('Copy address')}</span>
      </CopyButton>
      {isCompact && code}
    </section>
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
