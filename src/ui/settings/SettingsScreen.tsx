import '../style/places.css'
import type { ComponentChildren, ComponentType } from 'preact'
import { defineMessage, plural, t } from '../../i18n/translate.ts'
import { isReady } from '../../state/settings.ts'
import { Icon } from '../components/Icon.tsx'
import { Page } from '../components/Page.tsx'
import { formatPercent } from '../format/numbers.ts'
import { useStore, useStores } from '../hooks/useStore.ts'
import { lazy } from '../lazy.tsx'
import type { ScreenProps } from '../screenProps.ts'
import { AutoLock } from './AutoLock.tsx'
import { DisplaySettings } from './DisplaySettings.tsx'
import { PlaceRow } from './LinkRow.tsx'
import { NotificationSwitch } from './NotificationSwitch.tsx'
import { OtherViews } from './OtherViews.tsx'
import { SettingSwitch } from './SettingSwitch.tsx'
import { SwapSettings } from './SwapSettings.tsx'

type Section = { name: string; title: string; Content: ComponentType<ScreenProps> }

/** The pages of the settings, by the name that stands in the address. */
const sections: Section[] = [
  {
    name: 'swapping',
    title: defineMessage('Swapping'),
    Content: ({ settings }) => <SwapSettings settings={settings} />,
  },
  { name: 'keys', title: defineMessage('Accounts and keys'), Content: KeysSection },
  { name: 'sites', title: defineMessage('Sites'), Content: SitesSection },
  { name: 'safety', title: defineMessage('Safety'), Content: SafetySection },
  {
    name: 'display',
    title: defineMessage('Display'),
    Content: DisplaySection,
  },
  {
    name: 'backup',
    title: defineMessage('Save and restore'),
    Content: lazy(() => import('./Backup.tsx').then(({ Backup }) => Backup)),
  },
  {
    name: 'diagnostics',
    title: defineMessage('Diagnostics'),
    Content: lazy(() => import('./Diagnostics.tsx').then(({ Diagnostics }) => Diagnostics)),
  },
  {
    name: 'about',
    title: defineMessage('About'),
    Content: lazy(() => import('./About.tsx').then(({ About }) => About)),
  },
]

/** Everything the user may change, in pages. `of` names one of them; without it they are listed. */
export function Settings(props: ScreenProps) {
  const { place } = useStores()
  const section = sections.find(({ name }) => name === props.of)
  if (section === undefined) return <AllSettings {...props} />
  return (
    <Page title={t(section.title)} onBack={place.back}>
      <section.Content {...props} />
    </Page>
  )
}

function AllSettings({ settings, accounts, backedUp }: ScreenProps) {
  const { account, around, place } = useStores()
  const { slippageBps, networks } = settings
  const ready = networks.filter(isReady).length
  const row = (name: string, value?: ComponentChildren) => (
    <PlaceRow
      title={t(sections.find((section) => section.name === name)?.title ?? name)}
      value={value}
      onOpen={() => place.go('settings', name)}
    />
  )
  return (
    <Page title={t('Settings')} onBack={place.back}>
      <div class="panel group">
        {row('swapping', slippageBps === undefined ? t('Auto') : formatPercent(slippageBps))}
        <PlaceRow
          title={t('Networks')}
          value={plural(ready, '{count} ready', '{count} ready')}
          onOpen={() => place.go('networks')}
        />
        {row(
          'keys',
          backedUp ? (
            plural(accounts.length, '{count} account', '{count} accounts')
          ) : (
            <span class="warn">{t('Not backed up')}</span>
          ),
        )}
        <PlaceRow title={t('Contacts')} onOpen={() => place.go('contacts')} />
        {row('sites')}
        {row(
          'safety',
          plural(settings.autoLockMinutes, 'Locks after {count} min', 'Locks after {count} min'),
        )}
        {row('display')}
      </div>
      <div class="panel group">
        {row('backup')}
        {row('diagnostics')}
        {row('about', around.version)}
      </div>
      <OtherViews />
      <div class="panel group">
        <button type="button" class="list-row" onClick={() => account.lock()}>
          <span class="grow">{t('Lock now')}</span>
          <Icon name="lock" size={18} />
        </button>
      </div>
    </Page>
  )
}

function KeysSection() {
  const { account, place } = useStores()
  const seeds = useStore(account, (now) => (now.step === 'open' ? now.seeds : none))
  return (
    <div class="panel group">
      <PlaceRow title={t('Accounts')} onOpen={() => place.go('accounts')} />
      {seeds.map(({ id, backedUp }, index) => (
        <PlaceRow
          key={id}
          title={
            seeds.length > 1 ? t('Recovery phrase {number}', { number: index + 1 }) : t('Recovery phrase')
          }
          value={backedUp ? t('Backed up') : <span class="warn">{t('Not backed up')}</span>}
          onOpen={() => place.go('phrase', id)}
        />
      ))}
      <PlaceRow title={t('Change the password')} onOpen={() => place.go('password')} />
      <PlaceRow title={t('Start over')} onOpen={() => place.go('reset')} />
    </div>
  )
}

function DisplaySection({ settings }: ScreenProps) {
  return (
    <>
      <DisplaySettings settings={settings} />
      <div class="panel group">
        <NotificationSwitch settings={settings} />
      </div>
    </>
  )
}

function SitesSection({ settings }: ScreenProps) {
  const { place } = useStores()
  return (
    <div class="panel group">
      <PlaceRow title={t('Connected sites')} onOpen={() => place.go('sites')} />
      <SettingSwitch name="pageSwaps" settings={settings} label={t('Sites may ask for swaps')} />
      <SettingSwitch
        name="defaultWallet"
        settings={settings}
        label={t('Show Sluice as window.ethereum')}
        hint={t('Only old sites need this: others find it by EIP-6963. Reload their pages afterwards.')}
      />
    </div>
  )
}

function SafetySection({ settings }: ScreenProps) {
  const { place } = useStores()
  return (
    <div class="panel group">
      <PlaceRow title={t('Token allowances')} onOpen={() => place.go('allowances')} />
      <AutoLock minutes={settings.autoLockMinutes} />
    </div>
  )
}

const none: never[] = []
