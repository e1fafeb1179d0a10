import { createStore } from 'zustand/vanilla'
import type { NetworksApi } from '../protocol.ts'

/** Milliseconds between blocks by chain id; undefined while unknown. */
export type BlockIntervals = Record<number, number | undefined>

/** Each network is measured once per view. */
export function createBlockIntervals(wallet: Pick<NetworksApi, 'blockInterval'>) {
  const store = createStore<BlockIntervals>()(() => ({}))
  const asked = new Set<number>()
  return {
    ...store,
    async measure(chainId: number): Promise<void> {
      if (asked.has(chainId)) return
      asked.add(chainId)
      const interval = await wallet.blockInterval(chainId).catch(() => undefined)
      store.setState({ [chainId]: interval })
    },
  }
}
