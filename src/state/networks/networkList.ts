import { publicChains } from '../../domain/network/chains.ts'
import type { Network } from '../../domain/network/network.ts'
import { isReachable, isReady } from '../settings.ts'

export type NetworkState = 'in-use' | 'ready' | 'node-only' | 'not-set-up'

export function networkState(network: Network, chosen: number): NetworkState {
  if (network.chainId === chosen) return 'in-use'
  if (isReady(network)) return 'ready'
  return isReachable(network) ? 'node-only' : 'not-set-up'
}

/** The network in use, the others with an RPC, and the rest, each in order of the table (chains.ts). */
export function sortNetworks(networks: Network[], chosen: number): Network[] {
  return networks.toSorted((one, other) => compare(getRank(one, chosen), getRank(other, chosen)))
}

function getRank(network: Network, chosen: number): [use: number, order: number] {
  const use = network.chainId === chosen ? 0 : isReachable(network) ? 1 : 2
  const order = publicChains.findIndex(({ chainId }) => chainId === network.chainId)
  return [use, order < 0 ? publicChains.length : order]
}

function compare([use, order]: [number, number], [otherUse, otherOrder]: [number, number]): number {
  return use - otherUse || order - otherOrder
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
