import type { WalletApi } from '../../protocol.ts'
import { createAllowances } from '../../state/allowances.ts'
import type { Clock } from '../../state/clock.ts'
import { useStores } from '../hooks/data/useStore.ts'

/** Creates the store on first use. */
export function useAllowances(): ReturnType<typeof createAllowances> {
  return useStores().get(create)
}

const create = (wallet: WalletApi, clock: Clock) => createAllowances(wallet, clock)
