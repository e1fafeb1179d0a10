import type { Network } from '../../../domain/network/network.ts'
import { useStore, useStores } from './useStore.ts'

export function useNetwork(chainId: number | undefined): Network | undefined {
  return useStore(useStores().settings, ({ settings }) =>
    settings?.networks.find((network) => network.chainId === chainId),
  )
}
