import { useEffect, useMemo } from 'preact/hooks'
import type { Network } from '../../domain/network/network.ts'
import { createHome } from '../../state/portfolio/home.ts'
import { type PortfolioSummary, summarise } from '../../state/portfolio/summary.ts'
import { isReachable } from '../../state/settings.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { useNow } from '../hooks/useNow.ts'

export type Portfolio = {
  summary: PortfolioSummary
  /** Networks with an RPC. */
  reachable: Network[]
  /** The one that home is limited to. */
  filtered: Network | undefined
}

/** Keeps what is held on all networks fresh, and sums it up. */
export function usePortfolio(networks: Network[], current: number): Portfolio {
  const stores = useStores()
  const home = stores.get(createHome)
  useEffect(() => home.watch(stores), [home, stores])
  const filter = useStore(home, (state) => state.filter)
  // Prices get old also while nothing changes.
  useNow(10_000)
  const freshFrom = home.freshFrom()
  const holdings = useStore(home.portfolio, (state) => state.networks)
  const prices = useStore(stores.prices, (state) => state)
  const reachable = useMemo(() => networks.filter(isReachable), [networks])
  const filtered = reachable.length > 1 ? reachable.find(({ chainId }) => chainId === filter) : undefined
  const summary = useMemo(
    () =>
      summarise({
        networks,
        holdings: filtered ? holdings.filter(({ chainId }) => chainId === filtered.chainId) : holdings,
        prices,
        freshFrom,
        current,
      }),
    [networks, holdings, prices, freshFrom, current, filtered],
  )
  return { summary, reachable, filtered }
}
