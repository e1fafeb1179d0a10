import { t } from '../../i18n/translate.ts'
import { isSetUp } from '../../state/networks/setupProgress.ts'
import { lazy } from '../lazy/lazy.tsx'
import type { ScreenProps } from '../screenProps.ts'
import { Banners } from '../shell/Banners.tsx'
import { Header } from '../shell/Header.tsx'

const HomeContent = lazy(() => import('./HomeContent.tsx').then(({ HomeContent }) => HomeContent))
const WelcomeHint = lazy(() => import('../shell/WelcomeHint.tsx').then(({ WelcomeHint }) => WelcomeHint))
const SetupCard = lazy(() => import('./SetupCard.tsx').then(({ SetupCard }) => SetupCard))

/** Loads home's content before the worker answers. */
export function prefetchHome(): void {
  HomeContent.fetch().catch(() => undefined)
}

export function HomeScreen(props: ScreenProps) {
  return (
    <>
      <Header account={props.account} />
      <main class="overview">
        <h1 class="unseen">{t('Wallet')}</h1>
        {props.of === 'welcome' && <WelcomeHint at="overview" />}
        <HomeBody {...props} />
      </main>
    </>
  )
}

/** Also beside other screens in a wide tab. */
export function HomeBody(props: ScreenProps) {
  const { backedUp, network, settings } = props
  return (
    <>
      <Banners backedUp={backedUp} network={network} />
      {!isSetUp(settings.networks, network) && <SetupCard networks={settings.networks} network={network} />}
      <HomeContent {...props} />
    </>
  )
}
