import type { Network } from '../../domain/network/network.ts'
import { createNetworkHealth, getEndpoints } from '../../state/networks/health.ts'
import { useQuery } from '../hooks/data/useQuery.ts'
import { useStores } from '../hooks/data/useStore.ts'

/** Checks the endpoints on open, when they change, and for each new `count`. */
export function useNetworkHealth(network: Network, count = 0) {
  const networks = useStores().get(createNetworkHealth)
  return useQuery(() => networks.look(network), [networks, getEndpoints(network), count])
}
