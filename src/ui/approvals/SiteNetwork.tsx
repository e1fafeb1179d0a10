import { t } from '../../i18n/translate.ts'
import { isReachable } from '../../state/settings.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'

type Props = { chainId: number; onChange(chainId: number): void }

/** Selector limited to networks with an RPC. */
export function SiteNetwork({ chainId, onChange }: Props) {
  const { settings } = useStores()
  const networks = useStore(settings, (state) => state.settings?.networks) ?? []
  const offered = networks.filter((one) => isReachable(one) || one.chainId === chainId)
  return (
    <label class="list-row">
      <span class="grow">{t('Network')}</span>
      <select value={chainId} onChange={(event) => onChange(Number(event.currentTarget.value))}>
        {offered.map((network) => (
          <option key={network.chainId} value={network.chainId}>
            {network.name}
          </option>
        ))}
      </select>
    </label>
  )
}
