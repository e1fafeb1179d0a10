import type { Address } from '../../../domain/token/token.ts'
import { canSign } from '../../../state/account.ts'
import { useStore, useStores } from './useStore.ts'

export function useIsWatchOnly(address: Address): boolean {
  const { account } = useStores()
  return useStore(
    account,
    (now) => now.step === 'open' && now.owned.some((one) => one.address === address && !canSign(one)),
  )
}
