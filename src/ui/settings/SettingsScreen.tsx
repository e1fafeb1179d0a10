import '../style/lazy/networks.css'
import type { ComponentChildren, ComponentType } from 'preact'
import { useContext, useState } from 'preact/hooks'
import { defineMessage, plural, t } from '../../i18n/translate.ts'
import { isReady } from '../../state/settings.ts'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { Switch } from '../components/fields/Switch.tsx'
import { Icon } from '../components/Icon.tsx'
import { Page } from '../components/Page.tsx'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useQuery } from '../hooks/data/useQuery.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { lazy } from '../lazy/lazy.tsx'
import type { ScreenProps } from '../screenProps.ts'
import { WideContext } from '../shell/wideContext.ts'
import { LinkRow } from './LinkRow.tsx'
import { PreferenceSettings } from './PreferenceSettings.tsx'
import { SecuritySettings } from './SecuritySettings.tsx'
import { SettingSwitch } from './SettingSwitch.tsx'

type Section = { name: string; title: string; Content: ComponentType<ScreenProps> }

const sections: Section[] = [
  { name: 'security', title: defineMessage('Security'), Content: SecuritySettings },
  { name: 'sites', title: defineMessage('Connected sites'), Content: SitesSection },
  { name: 'preferences', title: defineMessage('Preferences'), Content: PreferenceSettings },
  { name: 'advanced', title: defineMessage('Advanced'), Content: AdvancedSection },
  {
    name: 'backup',
    title: defineMessage('Settings backup'),
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

export function SettingsScreen(props: ScreenProps) {
  const { router } = useStores()
  // The menu stands beside in a wide tab.
  const isWide = useContext(WideContext) === 'main'
  const shown = props.of ?? (isWide ? 'preferences' : undefined)
  const section = sections.find(({ name }) => name === shown)
  if (section === undefined) return <SettingsMenu {...props} />
  return (
    <Page title={t(section.title)} onBack={isWide ? undefined : router.back}>
      <section.Content {...props} />
    </Page>
  )
}

/** Every entry of the settings, with what is set. */
export function SettingsMenu({ settings, accounts, backedUp }: ScreenProps) {
  const { account, browserApi, router } = useStores()
  const isSide = useContext(WideContext) === 'side'
  const { at } = useStore(router, (state) => state)
  const ready = settings.networks.filter(isReady).length
  return (
    <Page title={t('Settings')} onBack={isSide ? undefined : router.back}>
      <div class="panel group">
        <LinkRow
          title={t('Networks')}
          value={plural(ready, '{count} set up', '{count} set up')}
          isOpen={isSide && (at === 'networks' || at === 'network')}
          onOpen={() => router.go('networks')}
        />
        <SectionRow
          name="security"
          value={
            backedUp ? (
              plural(settings.autoLockMinutes, 'Auto-lock: {count} min', 'Auto-lock: {count} min')
            ) : (
              <span class="warn">{t('Not backed up')}</span>
            )
          }
        />
        <LinkRow
          title={t('Accounts')}
          value={plural(accounts.length, '{count} account', '{count} accounts')}
          isOpen={isSide && (at === 'accounts' || at === 'account')}
          onOpen={() => router.go('accounts')}
        />
        <LinkRow
          title={t('Contacts')}
          isOpen={isSide && at === 'contacts'}
          onOpen={() => router.go('contacts')}
        />
        <SectionRow name="sites" />
      </div>
      <div class="panel group">
        <SectionRow name="preferences" />
        <SectionRow name="advanced" />
        <SectionRow name="about" value={browserApi.version} />
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

function SectionRow({ name, value }: { name: string; value?: ComponentChildren }) {
  const { router } = useStores()
  const isSide = useContext(WideContext) === 'side'
  const isOpen = useStore(router, ({ at, of }) => at === 'settings' && (of ?? 'preferences') === name)
  const title = sections.find((section) => section.name === name)?.title ?? name
  return (
    <LinkRow
      title={t(title)}
      value={value}
      isOpen={isSide && isOpen}
      onOpen={() => router.go('settings', name)}
    />
  )
}

function SitesSection({ settings }: ScreenProps) {
  const { router } = useStores()
  return (
    <div class="panel group">
      <LinkRow title={t('Manage connected sites')} onOpen={() => router.go('sites')} />
      <SettingSwitch name="pageSwaps" settings={settings} label={t('Let sites request swaps')} />
      <SettingSwitch
        name="defaultWallet"
        settings={settings}
        label={t('Default wallet (window.ethereum)')}
        hint={t('Only needed for older sites without EIP-6963 support. Reload open pages afterward.')}
      />
    </div>
  )
}

function AdvancedSection({ settings }: ScreenProps) {
  return (
    <>
      <div class="panel group">
        <SettingSwitch
          name="accessLists"
          settings={settings}
          label={t('Use access lists')}
          hint={t('Added to a swap when they make it cheaper.')}
        />
      </div>
      <div class="panel group">
        <SectionRow name="backup" />
        <SectionRow name="diagnostics" />
      </div>
    </>
  )
}

/** Opens the views that the browser supports. */
function OtherViews() {
  const { browserApi, openTab } = useStores()
  const take = useMutation(async (way: () => Promise<unknown>) => way())
  const { value: openers } = useQuery(browserApi.openers, [browserApi])
  const { panel, hasTab } = openers ?? { hasTab: false }
  const { value: isPanelFirst } = useQuery(browserApi.opensPanelFirst, [browserApi])
  if (panel === undefined && !hasTab && isPanelFirst === undefined) return null
  return (
    <>
      <div class="panel group">
        {isPanelFirst !== undefined && <PanelSwitch isFirst={isPanelFirst} />}
        {panel && (
          <button type="button" class="list-row" onClick={() => take.run(panel)}>
            <span class="grow">{t('Open in side panel')}</span>
            <Icon name="out" size={18} />
          </button>
        )}
        {hasTab && (
          <button type="button" class="list-row" onClick={() => take.run(() => openTab({ at: 'overview' }))}>
            <span class="grow">{t('Open in a tab')}</span>
            <Icon name="out" size={18} />
          </button>
        )}
      </div>
      {take.error && <ErrorMessage error={take.error} />}
    </>
  )
}

/** The browser's own setting. */
function PanelSwitch({ isFirst }: { isFirst: boolean }) {
  const { browserApi } = useStores()
  const [isOn, setOn] = useState(isFirst)
  const save = useMutation(async (isOn: boolean) => {
    await browserApi.setOpensPanelFirst(isOn)
    setOn(isOn)
  })
  return (
    <>
      <Switch
        label={t('Icon opens the side panel')}
        hint={t('Otherwise it opens a popup.')}
        isOn={isOn}
        onChange={save.run}
      />
      {save.error && <ErrorMessage error={save.error} />}
    </>
  )
}
