import { useContext, useState } from 'preact/hooks'
import { t } from '../../i18n/translate.ts'
import type { Account } from '../../protocol.ts'
import { currentNetwork } from '../../state/settings.ts'
import { AddressLabel } from '../components/address/AddressLabel.tsx'
import { CopyButton } from '../components/fields/CopyButton.tsx'
import { Icon } from '../components/Icon.tsx'
import { accountName } from '../format/accountName.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { lazy } from '../lazy/lazy.tsx'
import { WideContext } from './wideContext.ts'

const AccountSheet = lazy(() =>
  import('../accounts/AccountSheet.tsx').then(({ AccountSheet }) => AccountSheet),
)
const NetworkSheet = lazy(() =>
  import('../networks/NetworkSheet.tsx').then(({ NetworkSheet }) => NetworkSheet),
)

export function Header({ account }: { account: Account }) {
  // A wide tab has one of its own.
  return useContext(WideContext) === undefined ? <TopBar account={account} /> : null
}

function TopBar({ account }: { account: Account }) {
  const stores = useStores()
  const setUp = (chainId: number) => stores.router.go('network', String(chainId))
  const network = useStore(stores.settings, currentNetwork)
  const [choosing, setChoosing] = useState<'account' | 'network' | undefined>()
  const name = accountName(account)
  const done = () => setChoosing(undefined)
  return (
    <>
      <header class="top">
        <div class="account">
          <button
            type="button"
            class="account-choose"
            aria-haspopup="dialog"
            title={name}
            onClick={() => setChoosing('account')}
          >
            <span class="unseen">{t('Account')}: </span>
            <AddressLabel address={account.address} name={name} />
          </button>
          <CopyButton text={account.address} label={t('Copy address')} />
        </div>
        <button type="button" class="network" aria-haspopup="dialog" onClick={() => setChoosing('network')}>
          <span class="unseen">{t('Network')}: </span>
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
          onClick={() => stores.router.go('settings')}
        >
          <Icon name="settings" />
        </button>
      </header>
      {choosing === 'account' && <AccountSheet onClose={done} />}
      {choosing === 'network' && <NetworkSheet onClose={done} onSetUp={setUp} />}
    </>
  )
}
