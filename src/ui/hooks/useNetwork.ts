import type { Network } from '../../domain/network/network.ts'
import { useStore, useStores } from './useStore.ts'

/** A network of the settings, which need not be the one of the form. */
export function useNetwork(chainId: number | undefined): Network | undefined {
  return useStore(useStores().settings, ({ settings }) =>
    settings?.networks.find((network) => network.chainId === chainId),
  )
}
