import '../style/lazy/networks.css'
import { findPublicChain } from '../../domain/network/chains.ts'
import type { Network } from '../../domain/network/network.ts'
import { t } from '../../i18n/translate.ts'
import { networkState, searchNetworks, sortNetworks } from '../../state/networks/networkList.ts'
import { addNetworkWay } from '../../state/router.ts'
import { SearchField, useSearch } from '../components/fields/SearchField.tsx'
import { Icon } from '../components/Icon.tsx'
import { Page } from '../components/Page.tsx'
import { useStores } from '../hooks/data/useStore.ts'
import { networkStates } from '../messages/network.ts'
import type { ScreenProps } from '../screenProps.ts'
import { NetworkLogo } from './NetworkLogo.tsx'

export function NetworksScreen({ settings: { networks, chainId } }: ScreenProps) {
  const { router } = useStores()
  const search = useSearch(networks.length)
  const found = sortNetworks(searchNetworks(networks, search.text), chainId)
  return (
    <Page
      title={t('Networks')}
      onBack={router.back}
      foot={
        <button type="button" class="second" onClick={() => router.go('begin', addNetworkWay)}>
          {t('Add a network')}
        </button>
      }
    >
      {search.isNeeded && (
        <SearchField
          label={t('Search by name, symbol or chain ID')}
          placeholder={t('Name, symbol or chain ID')}
          {...search}
        />
      )}
      {found.length === 0 && <p class="nothing">{t('No networks found')}</p>}
      {found.length > 0 && (
        <ul class="panel group">
          {found.map((network) => (
            <li key={network.chainId}>
              <NetworkRow network={network} chosen={chainId} />
            </li>
          ))}
        </ul>
      )}
    </Page>
  )
}

function NetworkRow({ network, chosen }: { network: Network; chosen: number }) {
  const { router } = useStores()
  const { chainId, name, coin } = network
  const state = networkState(network, chosen)
  return (
    <button type="button" class="list-row place-row" onClick={() => router.go('network', String(chainId))}>
      <NetworkLogo network={network} />
      <span class="grow">
        <span class="place-name">{name}</span>
        <span class="dim small switch-hint">
          {coin.symbol}
          {!findPublicChain(chainId) && ` · ${t('Chain ID {chainId}', { chainId: String(chainId) })}`}
        </span>
      </span>
      <span class={`small network-state network-${state}`}>{t(networkStates[state])}</span>
      <Icon name="next" size={18} />
    </button>
  )
}
