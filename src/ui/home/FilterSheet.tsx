import '../style/lazy/networks.css'
import { t } from '../../i18n/translate.ts'
import { createHome } from '../../state/portfolio/home.ts'
import { Icon } from '../components/Icon.tsx'
import { Sheet } from '../components/Sheet.tsx'
import { useStores } from '../hooks/data/useStore.ts'
import { AddNetworkRow } from '../networks/AddNetworkRow.tsx'
import { NetworkLogo } from '../networks/NetworkLogo.tsx'
import type { Portfolio } from './usePortfolio.ts'

/** Limits home to one network, or adds one. */
export function FilterSheet({ portfolio, onClose }: { portfolio: Portfolio; onClose(): void }) {
  const { reachable, filtered } = portfolio
  const home = useStores().get(createHome)
  function choose(chainId: number | undefined): void {
    home.setFilter(chainId)
    onClose()
  }
  return (
    <Sheet title={t('Show tokens on')} onClose={onClose}>
      <ul class="list sheet-list">
        <li>
          <button
            type="button"
            class="list-row"
            aria-current={filtered === undefined}
            onClick={() => choose(undefined)}
          >
            <span class="filter-all">
              <Icon name="wallet" size={18} />
            </span>
            <span class="grow">{t('All networks')}</span>
            {filtered === undefined && <Icon name="check" />}
          </button>
        </li>
        {reachable.map((network) => (
          <li key={network.chainId}>
            <button
              type="button"
              class="list-row"
              aria-current={network === filtered}
              onClick={() => choose(network.chainId)}
            >
              <NetworkLogo network={network} />
              <span class="grow">{network.name}</span>
              {network === filtered && <Icon name="check" />}
            </button>
          </li>
        ))}
      </ul>
      <AddNetworkRow onClose={onClose} />
    </Sheet>
  )
}
