import { type Address, isNative, type Token } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import { CopyableAddress } from '../components/address/CopyableAddress.tsx'
import { formatSymbol, shortAddress } from '../format/address.ts'

/** Shows the contract, since token names are untrusted. */
export function TokenOrigin({ address, token }: { address: Address; token: Token | null | undefined }) {
  if (isNative(address)) return null
  return (
    <span class="small dim inline">
      <CopyableAddress address={address} of={token ? formatSymbol(token) : shortAddress(address)} />
      {token?.listed === false && <span class="tag">{t('unlisted')}</span>}
      {token === null && <span class="tag">{t('unreadable')}</span>}
    </span>
  )
}
