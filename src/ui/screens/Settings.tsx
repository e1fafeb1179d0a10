import { useState } from 'preact/hooks'
import type { Settings as Values } from '../../domain/network.ts'
import { t } from '../../language/translate.ts'
import { currentNetwork } from '../../state/settings.ts'
import { later } from '../later.tsx'
import { AutoLock } from '../parts/AutoLock.tsx'
import { DisplaySettings } from '../parts/DisplaySettings.tsx'
import { Fold } from '../parts/Fold.tsx'
import { Icon } from '../parts/Icon.tsx'
import { NetworkForm } from '../parts/NetworkForm.tsx'
import { Page } from '../parts/Page.tsx'
import { RouteSettings } from '../parts/RouteSettings.tsx'
import { SettingSwitch } from '../parts/SettingSwitch.tsx'
import { SwapSettings } from '../parts/SwapSettings.tsx'
import { use, useStores } from '../use.ts'
import { Reveal } from './Reveal.tsx'
import { Sites } from './Sites.tsx'

const Allowances = later(() => import('./afterForm.ts').then(({ Allowances }) => Allowances))

type Props = { chainId?: number; settings: Values; backedUp: boolean; onBack(): void }

/** Everything the user may change. `chainId` opens that network's part at once. */
export function Settings({ chainId, settings, backedUp, onBack }: Props) {
  const stores = useStores()
  const [shows, setShows] = useState<'phrase' | 'sites' | 'allowances' | undefined>()
  const network = use(stores.settings, currentNetwork)
  const account = use(stores.account, (now) => (now.step === 'open' ? now.account.address : undefined))
  const back = () => setShows(undefined)
  if (shows === 'allowances' && network && account) {
    return <Allowances network={network} account={account} onBack={back} />
  }
  if (shows === 'phrase') return <Reveal backedUp={backedUp} onBack={back} />
  if (shows === 'sites') return <Sites onBack={back} />
  return (
    <Page title={t('Settings')} onBack={onBack}>
      <h2 class="part">{t('Swapping')}</h2>
      <SwapSettings settings={settings} />

      <h2 class="part">{t('Sites')}</h2>
      <div class="panel group">
        <button type="button" class="list-row" onClick={() => setShows('sites')}>
          <span class="grow">{t('Connected sites')}</span>
          <Icon name="next" size={18} />
        </button>
        <SettingSwitch name="pageSwaps" settings={settings} label={t('Sites may ask for swaps')} />
        <SettingSwitch
          name="defaultWallet"
          settings={settings}
          label={t('Show Sluice as window.ethereum')}
          hint={t('Only old sites need this: others find it by EIP-6963. Reload their pages afterwards.')}
        />
      </div>

      <h2 class="part">{t('Safety')}</h2>
      <div class="panel group">
        <button type="button" class="list-row" onClick={() => setShows('allowances')}>
          <span class="grow">{t('What routers may take')}</span>
          <Icon name="next" size={18} />
        </button>
        <AutoLock minutes={settings.autoLockMinutes} />
        <button type="button" class="list-row" onClick={() => setShows('phrase')}>
          <span class="grow">{t('Recovery phrase')}</span>
          <span class={backedUp ? 'dim' : 'warn'}>
            {backedUp ? t('Written down') : t('Not written down')}
          </span>
        </button>
        <button type="button" class="list-row" onClick={() => stores.account.lock()}>
          <span class="grow">{t('Lock now')}</span>
          <Icon name="lock" size={18} />
        </button>
      </div>

      <h2 class="part">{t('Display')}</h2>
      <DisplaySettings settings={settings} />

      <h2 class="part">{t('Networks')}</h2>
      <div class="panel group">
        {settings.networks.map((network) => (
          <details key={network.chainId} open={network.chainId === chainId}>
            <summary class="list-row">
              <span class="grow">{network.name}</span>
              <span class="dim small">
                {network.serviceUrl && network.rpcUrl ? t('Ready') : t('Not set up')}
              </span>
            </summary>
            <NetworkForm network={network} />
            <Fold title={t('Routes')}>
              <RouteSettings network={network} />
            </Fold>
          </details>
        ))}
      </div>
    </Page>
  )
}
