import { useState } from 'preact/hooks'
import { t } from '../../language/translate.ts'
import type { Account } from '../../protocol.ts'
import { currentNetwork } from '../../state/settings.ts'
import { accountName } from '../accountName.ts'
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
  const name = accountName(account)
  const done = () => setChoosing(undefined)
  return (
    <header class="top">
      <div class="account">
        <button
          type="button"
          class="account-choose"
          aria-haspopup="dialog"
          aria-label={t('Account: {name}', { name })}
          title={name}
          onClick={() => setChoosing('account')}
        >
          <Identicon address={account.address} />
          <span class="who">
            <span class="who-name">{name}</span>
            <span class="num dim small">{shortAddress(account.address)}</span>
          </span>
        </button>
        <CopyButton text={account.address} label={t('Copy address')} />
      </div>
      <button
        type="button"
        class="network"
        aria-haspopup="dialog"
        aria-label={t('Network: {name}', { name: network?.name ?? '–' })}
        onClick={() => setChoosing('network')}
      >
        <span class="network-name">{network?.name}</span>
        <Icon name="down" size={14} />
      </button>
      <button
        type="button"
        class="round"
        aria-label={t('Lock')}
        title={t('Lock')}
        onClick={() => stores.account.lock()}
      >
        <Icon name="lock" />
      </button>
      <button
        type="button"
        class="round"
        aria-label={t('Settings')}
        title={t('Settings')}
        onClick={() => onSettings()}
      >
        <Icon name="settings" />
      </button>
      {choosing === 'account' && <AccountSheet onClose={done} />}
      {choosing === 'network' && <NetworkSheet onClose={done} onSetUp={onSettings} />}
    </header>
  )
}
