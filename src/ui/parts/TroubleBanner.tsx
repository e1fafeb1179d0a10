import { useEffect, useState } from 'preact/hooks'
import type { Network } from '../../domain/network.ts'
import { t } from '../../language/translate.ts'
import { use, useStores } from '../use.ts'
import { ErrorWhat } from './ErrorWhat.tsx'
import { Icon } from './Icon.tsx'

/**
 * Says when nobody, or the node or the service of the network, can be had, and tries again when asked. What the price already says
 * is not said twice.
 */
export function TroubleBanner({ network }: { network: Network }) {
  const { tokens, quote } = useStores()
  const isOnline = useOnline()
  const failed = use(quote, (state) => (state.status === 'failed' ? state.error.code : undefined))
  const error = use(tokens, ({ listError, balanceError }) =>
    [balanceError, listError].find((one) => one !== undefined && one.code !== failed),
  )
  const trouble = use(quote, (state) => (state.status === 'ready' ? state.trouble : undefined))
  const shown = error ?? trouble
  // What runs on this very computer does not care.
  const isOffline = !isOnline && (network.rpcUrl.startsWith('https:') || (shown ?? failed) !== undefined)
  if (!isOffline && shown === undefined) return null
  const retry = () => (error ? tokens.open(network) : quote.refresh())
  return (
    <div class="banner banner-bad" role="alert">
      <Icon name="warn" size={18} />
      <span class="grow">
        {isOffline && t('This computer is offline.')}
        {!isOffline && shown && (
          <>
            {network.name}: <ErrorWhat error={shown} />
          </>
        )}
      </span>
      <button type="button" class="link" onClick={retry}>
        {t('Try again')}
      </button>
    </div>
  )
}

/** False while the browser knows of no way out. */
function useOnline(): boolean {
  const [isOnline, setOnline] = useState(navigator.onLine)
  useEffect(() => {
    const look = () => setOnline(navigator.onLine)
    window.addEventListener('online', look)
    window.addEventListener('offline', look)
    return () => {
      window.removeEventListener('online', look)
      window.removeEventListener('offline', look)
    }
  }, [])
  return isOnline
}
