import '../style/lazy/wide.css'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { t } from '../../i18n/translate.ts'
import { isTab, type RouteName, routeHref, type Tab } from '../../state/router.ts'
import { Icon } from '../components/Icon.tsx'
import { HomeBody } from '../home/HomeScreen.tsx'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { lazy } from '../lazy/lazy.tsx'
import type { ScreenProps } from '../screenProps.ts'
import { Header } from './Header.tsx'
import { TabBar } from './TabBar.tsx'
import { WideContext } from './wideContext.ts'

const SettingsMenu = lazy(() =>
  import('../settings/SettingsScreen.tsx').then(({ SettingsMenu }) => SettingsMenu),
)
const WelcomeHint = lazy(() => import('./WelcomeHint.tsx').then(({ WelcomeHint }) => WelcomeHint))

type Props = ScreenProps & {
  /** The current screen. */
  children: ComponentChildren
  /** A review or running swap, whatever the route. */
  isSwapping: boolean
}

/** Frame of a full tab: navigation, header, and two columns. */
export function WideFrame({ children, isSwapping, ...props }: Props) {
  const { router, swap, setFormBeside } = useStores()
  const { at, of } = useStore(router, (state) => state)
  const side = isSwapping ? 'home' : sideOf(at)
  // The form is shown beside the home screen.
  useEffect(() => {
    setFormBeside(true)
    return () => setFormBeside(false)
  }, [])
  // Navigation leaves a review; a running swap goes on.
  const shown = useRef({ at, of })
  useEffect(() => {
    const isElsewhere = shown.current.at !== at || shown.current.of !== of
    shown.current = { at, of }
    if (isElsewhere && isSwapping) swap.leave()
  }, [at, of])
  return (
    <div class="wide" data-side={side}>
      <div class="wide-rail">
        <TabBar open={tabOf(at)} />
        <nav aria-label={t('Settings')}>
          <a
            class="wide-settings"
            href={routeHref({ at: 'settings' })}
            aria-current={side === 'settings' ? 'page' : undefined}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) return
              event.preventDefault()
              router.go('settings')
            }}
          >
            <Icon name="settings" />
            {t('Settings')}
          </a>
        </nav>
      </div>
      <Header account={props.account} />
      {side === 'home' && (
        <aside class="wide-side overview" aria-label={t('Wallet')}>
          <WideContext.Provider value="side">
            {isTab(at) && props.of === 'welcome' && <WelcomeHint at={at} />}
            <HomeBody {...props} />
          </WideContext.Provider>
        </aside>
      )}
      {side === 'settings' && (
        <aside class="wide-side" aria-label={t('Settings')}>
          <WideContext.Provider value="side">
            <SettingsMenu {...props} />
          </WideContext.Provider>
        </aside>
      )}
      <div class="wide-main">
        <WideContext.Provider value="main">{children}</WideContext.Provider>
      </div>
    </div>
  )
}

const settingsRoutes: ReadonlySet<RouteName> = new Set<RouteName>([
  'settings',
  'networks',
  'network',
  'sites',
  'allowances',
  'contacts',
  'accounts',
  'account',
  'add',
  'remove',
  'phrase',
  'key',
  'password',
  'reset',
])

/** Returns the column beside a screen; the activity takes the whole width. */
function sideOf(at: RouteName): 'home' | 'settings' | 'none' {
  if (settingsRoutes.has(at)) return 'settings'
  return at === 'activity' ? 'none' : 'home'
}

function tabOf(at: RouteName): Tab | undefined {
  if (isTab(at)) return at
  if (at === 'entry') return 'activity'
  return settingsRoutes.has(at) ? undefined : 'overview'
}
