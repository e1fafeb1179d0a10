import type { Address } from '../../domain/token.ts'
import { t } from '../../language/translate.ts'
import { accountName } from '../accountName.ts'
import { shortAddress } from '../format.ts'
import { use, useStores } from '../use.ts'
import { Identicon } from './Identicon.tsx'
import { useNetwork } from './usePair.ts'

/** The account that would act, and on which network. */
export function RequestWho({ account, chainId }: { account: Address | undefined; chainId: number }) {
  const stores = useStores()
  const network = useNetwork(chainId)
  const name = use(stores.account, (state) =>
    state.step === 'open' ? state.accounts.find(({ address }) => address === account)?.name : undefined,
  )
  if (account === undefined) return null
  return (
    <div class="panel request-who">
      <Identicon address={account} />
      <span class="who" title={account}>
        <span class="who-name">{name === undefined ? t('Account') : accountName({ name })}</span>
        <span class="num dim small">{shortAddress(account)}</span>
      </span>
      <span class="chip request-network">{network?.name ?? t('Chain {chainId}', { chainId })}</span>
    </div>
  )
}
