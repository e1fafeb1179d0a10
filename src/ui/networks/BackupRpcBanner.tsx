import type { ComponentChildren } from 'preact'
import { useEffect, useReducer } from 'preact/hooks'
import type { Network } from '../../domain/network/network.ts'
import { t } from '../../i18n/translate.ts'
import { createNetworks } from '../../state/networks/health.ts'
import { ErrorCause } from '../components/FaultWhat.tsx'
import { Icon } from '../components/Icon.tsx'
import { useLatest } from '../hooks/useLatest.ts'
import { useQuery } from '../hooks/useQuery.ts'
import { useStore, useStores } from '../hooks/useStore.ts'

/** As often as balances are read: a node that does not answer is noticed by then. */
const lookEveryMs = 30_000

type Props = {
  network: Network
  /** False while another notice has the place. */
  isShown?: boolean
  /** Tells whether there is something to say. */
  onFound?(isInUse: boolean): void
  /** Leads on to the next notice. */
  more?: ComponentChildren
}

/** Says that the spare node stands in, and why. It is looked at while the banner is mounted, shown or not. */
export function BackupRpcBanner({ network, isShown = true, onFound, more }: Props) {
  const stores = useStores()
  const networks = stores.get(createNetworks)
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
          <button type="button" class="link" onClick={() => stores.place.go('network', String(chainId))}>
            {t('Network settings')}
          </button>
        </span>
      </span>
      {more}
    </div>
  )
}
