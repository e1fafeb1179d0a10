import type { EditableApproval } from '../../../domain/dapp/spendingLimit.ts'
import { isUnlimited, maxUint256 } from '../../../domain/token/amount.ts'
import type { Token } from '../../../domain/token/token.ts'
import { t } from '../../../i18n/translate.ts'
import { LimitChoice as Choice, type Limit } from '../../components/fields/LimitChoice.tsx'
import { formatSymbol } from '../../format/address.ts'
import { formatInteger } from '../../format/numbers.ts'
import '../../style/lazy/limit.css'

/** `undefined`: as requested. */
export type LimitChoice = Limit | undefined

type Props = {
  approval: EditableApproval
  token: Token
  onChange(limit: LimitChoice): void
}

/** Chooses the amount of a requested approval. */
export function SpendingLimit({ approval: { amount }, token, onChange }: Props) {
  const isAskedUnlimited = isUnlimited(amount)
  const note = t('Exactly {sold}, nothing more.', {
    sold: `${formatInteger(amount, token.decimals)} ${formatSymbol(token)}`,
  })
  return (
    <section class="panel spending-limit">
      <Choice
        token={token}
        exact={isAskedUnlimited ? undefined : { label: t('This amount'), amount, note }}
        unlimited={isAskedUnlimited ? amount : maxUint256}
        limit={amount}
        max={maxUint256}
        warning={t('The spender can take all {symbol} in this account, now and later, until you revoke it.', {
          symbol: formatSymbol(token),
        })}
        onChange={(limit) => onChange(limit === amount ? undefined : limit)}
      />
    </section>
  )
}
