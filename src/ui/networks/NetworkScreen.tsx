import '../style/lazy/networks.css'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Network as OneNetwork } from '../../domain/network/network.ts'
import { t } from '../../i18n/translate.ts'
import { resetNetwork } from '../../state/networks/networkChanges.ts'
import { isConfigured, isOwn } from '../../state/networks/networkForm.ts'
import { isReachable } from '../../state/settings.ts'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { Disclosure } from '../components/Disclosure.tsx'
import { Page } from '../components/Page.tsx'
import { Sheet } from '../components/Sheet.tsx'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useStores } from '../hooks/data/useStore.ts'
import type { ScreenProps } from '../screenProps.ts'
import { NetworkForm } from './NetworkForm.tsx'
import { NetworkHealth } from './NetworkHealth.tsx'
import { NewNetwork } from './NewNetwork.tsx'
import { RouteSettings } from './RouteSettings.tsx'

/** Network settings. `of` is the chain id, with `-routes` to show these, or `new`. */
export function NetworkScreen({ of, settings }: ScreenProps) {
  const { router } = useStores()
  const [id, part] = of?.split('-') ?? []
  const network = settings.networks.find(({ chainId }) => String(chainId) === id)
  if (of === 'new') {
    return (
      <Page title={t('Add manually')} onBack={router.back}>
        <NewNetwork known={settings.networks} />
      </Page>
    )
  }
  if (network === undefined) {
    return (
      <Page title={t('Networks')} onBack={router.back}>
        <p class="nothing">{t('Network not found')}</p>
        <button type="button" class="second" onClick={() => router.go('networks')}>
          {t('All networks')}
        </button>
      </Page>
    )
  }
  return (
    <Known
      key={network.chainId}
      network={network}
      isChosen={network.chainId === settings.chainId}
      showsRoutes={part === 'routes'}
    />
  )
}

type KnownProps = { network: OneNetwork; isChosen: boolean; showsRoutes: boolean }

function Known({ network, isChosen, showsRoutes }: KnownProps) {
  const { router, settings } = useStores()
  const routes = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (showsRoutes) routes.current?.scrollIntoView()
  }, [showsRoutes])
  const choose = useMutation(() => settings.save({ chainId: network.chainId }))
  return (
    <Page title={network.name} onBack={router.back}>
      <p class="dim small aside">
        {t('Chain ID {chainId}', { chainId: String(network.chainId) })} · {network.coin.symbol}
        {isChosen && ` · ${t('Active')}`}
      </p>
      <NetworkHealth network={network} />
      {!isChosen && isReachable(network) && (
        <button type="button" class="second" disabled={choose.isRunning} onClick={() => choose.run()}>
          {t('Use this network')}
        </button>
      )}
      {choose.error && <ErrorMessage error={choose.error} />}
      <div class="panel group">
        <NetworkForm network={network} />
      </div>
      {network.serviceUrl !== '' && (
        <div ref={routes}>
          <Disclosure title={t('Routes')} isOpen={showsRoutes}>
            <RouteSettings network={network} />
          </Disclosure>
        </div>
      )}
      <Away network={network} isChosen={isChosen} />
    </Page>
  )
}

/** Removes a custom network, or resets a bundled one. */
function Away({ network, isChosen }: { network: OneNetwork; isChosen: boolean }) {
  const { settings, router } = useStores()
  const [asks, setAsks] = useState(false)
  const own = isOwn(network)
  const act = useMutation(async () => {
    await resetNetwork(settings, network.chainId)
    setAsks(false)
    if (own) router.back()
  })
  if (!isConfigured(network)) return null
  if (own && isChosen) {
    return (
      <p class="dim small aside">
        {t('This is your current network.')} {t('Switch to another network before removing it.')}
      </p>
    )
  }
  const label = own ? t('Remove network') : t('Reset network')
  return (
    <>
      <button type="button" class="second second-danger" onClick={() => setAsks(true)}>
        {label}
      </button>
      {asks && (
        <Sheet title={label} onClose={() => setAsks(false)}>
          <p>
            {own
              ? t(
                  'Its URLs, API key and routing settings will be deleted. Your assets on this network aren’t affected.',
                )
              : t(
                  'This restores the default settings. The URLs, API key and routing settings you added will be deleted.',
                )}
          </p>
          {act.error && <ErrorMessage error={act.error} />}
          <button
            type="button"
            class="second second-danger"
            disabled={act.isRunning}
            onClick={() => act.run()}
          >
            {own ? t('Remove') : t('Reset')}
          </button>
        </Sheet>
      )}
    </>
  )
}
