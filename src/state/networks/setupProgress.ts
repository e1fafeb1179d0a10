import type { Network } from '../../domain/network/network.ts'
import { isReachable, isReady } from '../settings.ts'

/** `wallet`: the current network has an RPC, for balances and transfers. `swaps`: a network can swap. */
export type SetupProgress = { wallet: boolean; swaps: boolean }

export function setupProgress(networks: Network[], current: Network): SetupProgress {
  return { wallet: isReachable(current), swaps: networks.some(isReady) }
}

export function isSetUp(networks: Network[], current: Network): boolean {
  const { wallet, swaps } = setupProgress(networks, current)
  return wallet && swaps
}
