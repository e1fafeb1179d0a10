import type { Network } from '../../domain/network/network.ts'
import { isReachable, isReady } from '../settings.ts'

export type NetworkState = 'in-use' | 'ready' | 'node-only' | 'not-set-up'

export function networkState(network: Network, chosen: number): NetworkState {
  if (network.chainId === chosen) return 'in-use'
  if (isReady(network)) return 'ready'
  return isReachable(network) ? 'node-only' : 'not-set-up'
}

const order: NetworkState[] = ['in-use', 'ready', 'node-only', 'not-set-up']

/** Stable; the current network first, then by setup state. */
export function sortNetworks(networks: Network[], chosen: number): Network[] {
  const rank = (network: Network) => order.indexOf(networkState(network, chosen))
  return networks.toSorted((one, other) => rank(one) - rank(other))
}

/** Matches name, native token or chain id. */
export function searchNetworks(networks: Network[], text: string): Network[] {
  const wanted = text.trim().toLowerCase()
  return networks.filter(
    ({ name, coin, chainId }) =>
      name.toLowerCase().includes(wanted) ||
      coin.symbol.toLowerCase().startsWith(wanted) ||
      String(chainId) === wanted,
  )
}
