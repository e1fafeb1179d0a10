import type { Address } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import { AddressLabel } from '../components/address/AddressLabel.tsx'
import { accountName } from '../format/accountName.ts'
import { useNetwork } from '../hooks/data/useNetwork.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'

export function RequestContext({ account, chainId }: { account: Address | undefined; chainId: number }) {
  const stores = useStores()
  const network = useNetwork(chainId)
  const name = useStore(stores.account, (state) =>
    state.step === 'open' ? state.accounts.find(({ address }) => address === account)?.name : undefined,
  )
  if (account === undefined) return null
  return (
    <div class="panel request-who">
      <AddressLabel address={account} name={name === undefined ? t('Account') : accountName({ name })} />
      <span class="chip request-network">{network?.name ?? t('Chain ID {chainId}', { chainId })}</span>
    </div>
  )
}
