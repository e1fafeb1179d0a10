import { isUnlimited } from '../../domain/token/amount.ts'
import type { Address, Token } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import { Amount } from '../components/Amount.tsx'
import { formatSymbol, shortAddress } from '../format/address.ts'
import { formatInteger } from '../format/numbers.ts'

type Props = {
  amount: bigint | 'all'
  address: Address
  token: Token | null | undefined
  isExact?: boolean
}

/** Shows base units while the token is unknown. */
export function TokenAmount({ amount, address, token, isExact = false }: Props) {
  if (token === undefined) return <span class="bone" />
  const symbol = token === null ? shortAddress(address) : formatSymbol(token)
  if (amount === 'all') return <span class="bad">{t('All {symbol}', { symbol })}</span>
  if (isUnlimited(amount)) return <span class="bad">{t('Unlimited {symbol}', { symbol })}</span>
  if (token !== null) return <Amount amount={amount} token={token} isExact={isExact} />
  return (
    <span class="num">{t('{amount} units of {symbol}', { amount: formatInteger(amount, 0), symbol })}</span>
  )
}
