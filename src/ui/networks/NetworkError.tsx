import type { ComponentChildren } from 'preact'
import type { Network } from '../../domain/network/network.ts'
import type { WalletError } from '../../errors.ts'
import { t } from '../../i18n/translate.ts'
import { hostsInTrouble } from '../../state/networks/networkChanges.ts'
import { ErrorWhat } from '../components/alerts/ErrorWhat.tsx'
import { Icon } from '../components/Icon.tsx'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useStores } from '../hooks/data/useStore.ts'

/** Current network errors. */
export type TroubleNow = { isOffline: boolean; errors: WalletError[]; onRetry(): void }

type Props = TroubleNow & {
  network: Network
  /** Button to the next notice. */
  more?: ComponentChildren
}

/** Network error. Retry requests missing host permissions, and runs even if denied. */
export function NetworkError({ network, isOffline, errors, onRetry, more }: Props) {
  const { router, purpose, settings } = useStores()
  const retry = useMutation(async () => {
    try {
      await settings.allow(hostsInTrouble(network, errors))
    } finally {
      onRetry()
    }
  })
  const shown = retry.error ? [retry.error] : errors
  return (
    <div class="banner banner-bad" role="alert">
      <Icon name="warn" size={18} />
      <span class="grow">
        {isOffline && t('You’re offline.')}
        {!isOffline && `${network.name}: `}
        {!isOffline && shown.map((error) => [<ErrorWhat key={error.code} error={error} />, ' '])}
        <span class="banner-acts">
          {!isOffline && purpose === 'form' && (
            <button type="button" class="link" onClick={() => router.go('network', String(network.chainId))}>
              {t('Network settings')}
            </button>
          )}
          <button type="button" class="link" onClick={() => retry.run()}>
            {t('Try again')}
          </button>
        </span>
      </span>
      {more}
    </div>
  )
}
