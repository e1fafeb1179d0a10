import type { EditableApproval } from '../../../domain/dapp/spendingLimit.ts'
import type { Token } from '../../../domain/token/token.ts'
import { t } from '../../../i18n/translate.ts'
import { Warning } from '../../components/alerts/Warning.tsx'
import { type LimitChoice, SpendingLimit } from './SpendingLimit.tsx'

type Props = {
  approval: EditableApproval
  /** Undefined until the amount may be changed. */
  token: Token | undefined
  /** True if the chosen limit failed to simulate. */
  isRefused: boolean
  /** Title of the approving call, if it is one of several. */
  title: string | undefined
  count: number
  onChange(limit: LimitChoice): void
}

/** Spending limit. Until it may be changed it is hidden, but keeps its room. */
export function LimitPlace({ approval, token, isRefused, title, count, onChange }: Props) {
  const { at } = approval
  return (
    <div class="limit-place" data-ready={Boolean(token)}>
      {title !== undefined && (
        <p class="dim small limit-call">
          {t('Transaction {place} of {count}: {title}', { place: at + 1, count, title })}
        </p>
      )}
      <SpendingLimit
        key={token?.decimals}
        approval={approval}
        token={token ?? { ...standIn, address: approval.token }}
        onChange={onChange}
      />
      {isRefused && (
        <Warning>{t('This limit couldn’t be simulated. Choose another one, or the requested one.')}</Warning>
      )}
    </div>
  )
}

const standIn = {
  symbol: '…',
  name: '',
  decimals: 18,
  listed: false,
  eip2612: false,
  taxed: false,
  tags: [],
} satisfies Omit<Token, 'address'>
