import type { Address } from '../../domain/token/token.ts'
import { canSign } from '../../state/account.ts'
import { useStore, useStores } from './useStore.ts'

/** True for an account of the wallet whose key is not here: nothing can be signed for it. */
export function useIsWatchOnly(address: Address): boolean {
  const { account } = useStores()
  return useStore(
    account,
    (now) => now.step === 'open' && now.owned.some((one) => one.address === address && !canSign(one)),
  )
}
