import type { Network } from '../../domain/network/network.ts'
import { isReachable, isReady } from '../settings.ts'

export type NetworkState = 'in-use' | 'ready' | 'node-only' | 'not-set-up'

/** How far a network is set up; the one that is chosen is in use. */
export function stateOfNetwork(network: Network, chosen: number): NetworkState {
  if (network.chainId === chosen) return 'in-use'
  if (isReady(network)) return 'ready'
  return isReachable(network) ? 'node-only' : 'not-set-up'
}

const order: NetworkState[] = ['in-use', 'ready', 'node-only', 'not-set-up']

/** The one in use first, then those that are set up; otherwise as they came. */
export function sortNetworks(networks: Network[], chosen: number): Network[] {
  const rank = (network: Network) => order.indexOf(stateOfNetwork(network, chosen))
  return networks.toSorted((one, other) => rank(one) - rank(other))
}

/** Those whose name, coin or chain id `text` means. */
export function searchNetworks(networks: Network[], text: string): Network[] {
  const wanted = text.trim().toLowerCase()
  return networks.filter(
    ({ name, coin, chainId }) =>
      name.toLowerCase().includes(wanted) ||
      coin.symbol.toLowerCase().startsWith(wanted) ||
      String(chainId) === wanted,
  )
}
