import { useState } from 'preact/hooks'
import type { Account } from '../../protocol.ts'
import { currentNetwork } from '../../state/settings.ts'
import { shortAddress } from '../format.ts'
import { later } from '../later.tsx'
import { use, useStores } from '../use.ts'
import { CopyButton } from './CopyButton.tsx'
import { Icon } from './Icon.tsx'
import { Identicon } from './Identicon.tsx'

const NetworkSheet = later(() => import('./NetworkSheet.tsx').then(({ NetworkSheet }) => NetworkSheet))

type Props = { account: Account; onSettings(chainId?: number): void }

/** Who and where: the account, the network, and the ways to lock and to set. */
export function Header({ account, onSettings }: Props) {
  const stores = useStores()
  const network = use(stores.settings, currentNetwork)
  const [choosing, setChoosing] = useState(false)
  return (
    <header class="top">
      <Identicon address={account.address} />
      <div class="who">
        <span class="who-name">{account.name}</span>
        <CopyButton text={account.address} label="Copy address">
          <span class="num">{shortAddress(account.address)}</span>
        </CopyButton>
      </div>
      <button
        type="button"
        class="network"
        aria-haspopup="dialog"
        aria-label={`Network: ${network?.name ?? 'none'}`}
        onClick={() => setChoosing(true)}
      >
        <span class="network-name">{network?.name}</span>
        <Icon name="down" size={14} />
      </button>
      <button
        type="button"
        class="round"
        aria-label="Lock"
        title="Lock"
        onClick={() => stores.account.lock()}
      >
        <Icon name="lock" />
      </button>
      <button type="button" class="round" aria-label="Settings" title="Settings" onClick={() => onSettings()}>
        <Icon name="settings" />
      </button>
      {choosing && <NetworkSheet onClose={() => setChoosing(false)} onSetUp={onSettings} />}
    </header>
  )
}
