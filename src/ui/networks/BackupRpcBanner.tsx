import type { ComponentChildren } from 'preact'
import { useEffect, useReducer } from 'preact/hooks'
import type { Network } from '../../domain/network/network.ts'
import { t } from '../../i18n/translate.ts'
import { createNetworkHealth } from '../../state/networks/health.ts'
import { ErrorCause } from '../components/alerts/ErrorCause.tsx'
import { Icon } from '../components/Icon.tsx'
import { useQuery } from '../hooks/data/useQuery.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { useLatest } from '../hooks/useLatest.ts'

/** In milliseconds, as for balances. */
const lookEveryMs = 30_000

type Props = {
  network: Network
  /** False while another notice is shown. */
  isShown?: boolean
  onFound?(isInUse: boolean): void
  /** Button to the next notice. */
  more?: ComponentChildren
}

/** Notice that the backup RPC is in use. Polls even when not shown. */
export function BackupRpcBanner({ network, isShown = true, onFound, more }: Props) {
  const stores = useStores()
  const networks = stores.get(createNetworkHealth)
  const balances = useStore(stores.tokens, (state) => state.balances)
  const [looks, look] = useReducer<number, void>((count) => count + 1, 0)
  useEffect(() => {
    const timer = setInterval(look, lookEveryMs)
    return () => clearInterval(timer)
  }, [])
  const { chainId, rpcUrl, spareRpcUrl } = network
  const { value } = useQuery(
    () => networks.onSpare(chainId),
    [networks, chainId, rpcUrl, spareRpcUrl, balances, looks],
  )
  const found = useLatest(value)
  const isInUse = Boolean(found)
  useEffect(() => {
    onFound?.(isInUse)
    return () => onFound?.(false)
  }, [isInUse, onFound])
  if (!found || !isShown) return null
  return (
    <div class="banner" role="status">
      <Icon name="warn" size={18} />
      <span class="grow">
        {t('Using the backup RPC for {network}.', { network: network.name })}{' '}
        {found.why && <ErrorCause code={found.why} />}
        <span class="banner-acts">
          <button type="button" class="link" onClick={() => stores.router.go('network', String(chainId))}>
            {t('Network settings')}
          </button>
        </span>
      </span>
      {more}
    </div>
  )
}
