import type { EditableApproval } from '../../../domain/dapp/spendingLimit.ts'
import type { Token } from '../../../domain/token/token.ts'
import { t } from '../../../i18n/translate.ts'
import { Warning } from '../../components/alerts/Warning.tsx'
import type { LimitEditor } from './limitEditor.ts'
import { type LimitChoice, SpendingLimit } from './SpendingLimit.tsx'
import { toStandIn } from './statedEffects.ts'
import '../../style/lazy/limit.css'

type Props = {
  approval: EditableApproval
  editor: LimitEditor
  /** As the token list names it. */
  listed: Token | null | undefined
  /** True if the approval is for an item of a collection. */
  isItem: boolean
  /** True if the chosen limit failed to simulate. */
  isRefused: boolean
  /** Title of the approving call, if it is one of several. */
  title: string | undefined
  count: number
  onChange(limit: LimitChoice): void
}

/** Spending limit. It keeps its room where it may not, or not yet, be changed. */
export function LimitPlace(props: Props) {
  const { approval, editor, listed, isItem, isRefused, title, count, onChange } = props
  const { status, token } = editor
  return (
    <>
      <div class="limit-place" data-status={status}>
        <div class="limit-editor" inert={status !== 'open'}>
          {title !== undefined && (
            <p class="dim small limit-call">
              {t('Transaction {place} of {count}: {title}', { place: approval.at + 1, count, title })}
            </p>
          )}
          <SpendingLimit
            key={token?.decimals}
            approval={approval}
            token={token ?? listed ?? toStandIn(approval.token)}
            onChange={onChange}
          />
        </div>
        {status === 'refused' && (
          <p class="dim small limit-refused">
            {isItem
              ? t('This approval is for a single NFT, so it has no spending limit.')
              : t('The spending limit of this approval can’t be changed here.')}
          </p>
        )}
      </div>
      {isRefused && (
        <Warning>{t('This limit couldn’t be simulated. Choose another one, or the requested one.')}</Warning>
      )}
    </>
  )
}
