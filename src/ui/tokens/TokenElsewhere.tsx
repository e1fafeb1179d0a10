import { useMemo } from 'preact/hooks'
import type { Network } from '../../domain/network/network.ts'
import type { Token } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import { createHome } from '../../state/portfolio/home.ts'
import { findElsewhere } from '../../state/portfolio/sameToken.ts'
import { formatTokenRoute } from '../../state/portfolio/tokenRoute.ts'
import { Value } from '../components/Value.tsx'
import { formatSymbol } from '../format/address.ts'
import { formatAmount } from '../format/numbers.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { NetworkLogo } from '../networks/NetworkLogo.tsx'

type Props = { token: Token; network: Network; networks: Network[]; current: number }

/** Balances of the same asset on other networks; nothing without any. */
export function TokenElsewhere({ token: { address }, network: { chainId }, networks, current }: Props) {
  const stores = useStores()
  const holdings = useStore(stores.get(createHome).portfolio, (state) => state.networks)
  const found = useMemo(() => findElsewhere({ chainId, address }, holdings), [chainId, address, holdings])
  if (found.length === 0) return null
  return (
    <>
      <h2 class="part">{t('On other networks')}</h2>
      <ul class="panel group">
        {found.map((held) => {
          const network = networks.find((one) => one.chainId === held.chainId)
          return (
            network && (
              <li key={held.chainId}>
                <button
                  type="button"
                  class="list-row"
                  onClick={() =>
                    stores.router.go('token', formatTokenRoute(held.token.address, held.chainId, current))
                  }
                >
                  <NetworkLogo network={network} />
                  <span class="grow">{network.name}</span>
                  <span class="elsewhere-figures num">
                    <span>
                      {formatAmount(held.balance, held.token.decimals)} {formatSymbol(held.token)}
                    </span>
                    <span class="dim small">
                      <Value amount={held.balance} token={held.token} chainId={held.chainId} />
                    </span>
                  </span>
                </button>
              </li>
            )
          )
        })}
      </ul>
    </>
  )
}
