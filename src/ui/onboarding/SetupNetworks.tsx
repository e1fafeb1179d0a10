import { useRef } from 'preact/hooks'
import type { Network } from '../../domain/network/network.ts'
import { t } from '../../i18n/translate.ts'
import { isReady } from '../../state/settings.ts'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { Icon } from '../components/Icon.tsx'
import { Page } from '../components/Page.tsx'
import { Stepper } from '../components/Stepper.tsx'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useStores } from '../hooks/data/useStore.ts'
import { NetworkForm } from '../networks/NetworkForm.tsx'
import type { ScreenProps } from '../screenProps.ts'
import { parseImportMethod } from './import/importMethods.ts'
import { onboardingSteps } from './onboarding.ts'

/** Sets up networks. No host is contacted before one is entered here. */
export function SetupNetworks({ settings, of }: ScreenProps) {
  const { router, settings: kept, purpose } = useStores()
  const first = useRef<HTMLDetailsElement>(null)
  const local = settings.networks.find(isLocal)
  const networks = settings.networks.filter((network) => !isLocal(network))
  const ready = networks.find(isReady)
  const finish = useMutation(async (network?: Network) => {
    if (network !== undefined && network.chainId !== settings.chainId) {
      await kept.save({ chainId: network.chainId })
    }
    // Back must not reopen the finished form.
    router.replace('overview', 'welcome')
  })
  const setUpFirst = () => {
    if (first.current === null) return
    first.current.open = true
    first.current.querySelector('button')?.focus()
  }
  const steps =
    of === 'create'
      ? onboardingSteps(purpose).create
      : parseImportMethod(of) && onboardingSteps(purpose).bring
  return (
    <Page
      title={t('Set up your networks')}
      foot={
        <div class="stack">
          {finish.error && <ErrorMessage error={finish.error} />}
          {ready !== undefined ? (
            <button type="button" class="main" disabled={finish.isRunning} onClick={() => finish.run(ready)}>
              {t('Finish')}
            </button>
          ) : (
            <>
              <button type="button" class="main" disabled={finish.isRunning} onClick={setUpFirst}>
                {t('Set up {name}', { name: networks[0]?.name ?? '' })}
              </button>
              <button type="button" class="plain" disabled={finish.isRunning} onClick={() => finish.run()}>
                {t('Not now')}
              </button>
            </>
          )}
        </div>
      }
    >
      {steps && <Stepper at={steps} of={steps} />}
      <p class="dim">
        {t(
          'Sluice gets quotes from a swap service and balances from an RPC. For each network you use, add the providers you trust. No other server is ever contacted.',
        )}
      </p>
      <div class="panel group">
        {networks.map((network, index) => (
          <details key={network.chainId} ref={index === 0 ? first : null}>
            <summary class="list-row">
              <span class="grow">{network.name}</span>
              <span class="dim small">{isReady(network) ? t('Ready') : t('Not set up')}</span>
              <Icon name="down" size={16} />
            </summary>
            <NetworkForm network={network} />
          </details>
        ))}
      </div>
      {local !== undefined && (
        <div class="stack">
          <p class="aside dim small">
            {t(
              'For developers: the local test network that “npm start” runs on this computer, with test funds.',
            )}
          </p>
          <button type="button" class="second" disabled={finish.isRunning} onClick={() => finish.run(local)}>
            {t('Use local test network')}
          </button>
        </div>
      )}
    </Page>
  )
}

/** Only localnets have a faucet. */
function isLocal({ faucetUrl }: Network): boolean {
  return faucetUrl !== undefined
}
