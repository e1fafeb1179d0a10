import '../style/lazy/networks.css'
import type { Network } from '../../domain/network/network.ts'
import { t } from '../../i18n/translate.ts'
import { searchNetworks, sortNetworks } from '../../state/networks/networkList.ts'
import { isReachable } from '../../state/settings.ts'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { SearchField, useSearch } from '../components/fields/SearchField.tsx'
import { Icon } from '../components/Icon.tsx'
import { Sheet } from '../components/Sheet.tsx'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { AddNetworkRow } from './AddNetworkRow.tsx'
import { NetworkLogo } from './NetworkLogo.tsx'

type Props = { onClose(): void; onSetUp(chainId: number): void }

/** Lists networks with an RPC first. Others lead to their settings. */
export function NetworkSheet({ onClose, onSetUp }: Props) {
  const { settings, router } = useStores()
  const now = useStore(settings, (state) => state.settings)
  const search = useSearch(now?.networks.length ?? 0)
  const found = now ? sortNetworks(searchNetworks(now.networks, search.text), now.chainId) : []
  const choose = useMutation(async (network: Network) => {
    if (isReachable(network)) await settings.save({ chainId: network.chainId })
    else onSetUp(network.chainId)
    onClose()
  })
  return (
    <Sheet title={t('Network')} onClose={onClose} tall={search.isNeeded}>
      {search.isNeeded && (
        <SearchField
          label={t('Search by name, symbol or chain ID')}
          placeholder={t('Name, symbol or chain ID')}
          {...search}
          onEnter={() => search.text.trim() !== '' && found[0] && choose.run(found[0])}
        />
      )}
      <ul class="list sheet-list">
        {found.map((network) => (
          <li key={network.chainId}>
            <button
              type="button"
              class="list-row"
              aria-current={network.chainId === now?.chainId}
              onClick={() => choose.run(network)}
            >
              <NetworkLogo network={network} />
              <span class="grow">
                {network.name}
                <span class="dim small"> · {network.coin.symbol}</span>
              </span>
              {!isReachable(network) && <span class="dim small">{t('Not set up')}</span>}
              {network.chainId === now?.chainId && <Icon name="check" />}
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="nothing">{t('No networks found')}</p>}
      {choose.error && <ErrorMessage error={choose.error} />}
      <AddNetworkRow onClose={onClose} />
      <button
        type="button"
        class="list-row sheet-foot"
        onClick={() => {
          router.go('networks')
          onClose()
        }}
      >
        <Icon name="settings" size={18} />
        <span class="grow">{t('Manage networks')}</span>
      </button>
    </Sheet>
  )
}
