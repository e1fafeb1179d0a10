import { useState } from 'preact/hooks'
import type { Account } from '../../protocol.ts'
import { currentNetwork } from '../../state/settings.ts'
import { shortAddress } from '../format.ts'
import { later } from '../later.tsx'
import { use, useStores } from '../use.ts'
import { CopyButton } from './CopyButton.tsx'
import { Icon } from './Icon.tsx'
import { Identicon } from './Identicon.tsx'

const AccountSheet = later(() => import('./AccountSheet.tsx').then(({ AccountSheet }) => AccountSheet))
const NetworkSheet = later(() => import('./NetworkSheet.tsx').then(({ NetworkSheet }) => NetworkSheet))

type Props = { account: Account; onSettings(chainId?: number): void }

/** Who and where: the account, the network, and the ways to lock and to set. */
export function Header({ account, onSettings }: Props) {
  const stores = useStores()
  const network = use(stores.settings, currentNetwork)
  const [choosing, setChoosing] = useState<'account' | 'network' | undefined>()
  const done = () => setChoosing(undefined)
  return (
    <header class="top">
      <div class="account">
        <button
          type="button"
          class="account-choose"
          aria-haspopup="dialog"
          aria-label={`Account: ${account.name}`}
          title={account.name}
          onClick={() => setChoosing('account')}
        >
          <Identicon address={account.address} />
          <span class="who">
            <span class="who-name">{account.name}</span>
            <span class="num dim small">{shortAddress(account.address)}</span>
          </span>
        </button>
        <CopyButton text={account.address} label="Copy address" />
      </div>
      <button
        type="button"
        class="network"
        aria-haspopup="dialog"
        aria-label={`Network: ${network?.name ?? 'none'}`}
        onClick={() => setChoosing('network')}
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
      {choosing === 'account' && <AccountSheet onClose={done} />}
      {choosing === 'network' && <NetworkSheet onClose={done} onSetUp={onSettings} />}
    </header>
  )
}
