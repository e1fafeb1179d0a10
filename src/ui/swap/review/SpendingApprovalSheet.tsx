import { useState } from 'preact/hooks'
import type { ApprovalMethod, Review } from '../../../domain/swap/swap.ts'
import { isUnlimited, maxUint256 } from '../../../domain/token/amount.ts'
import type { Token } from '../../../domain/token/token.ts'
import { t } from '../../../i18n/translate.ts'
import { Checkbox } from '../../components/fields/Checkbox.tsx'
import { type Limit, LimitChoice } from '../../components/fields/LimitChoice.tsx'
import { Sheet } from '../../components/Sheet.tsx'
import { useFeeFormat } from '../../fees/useFeeFormat.ts'
import { formatSymbol } from '../../format/address.ts'
import { formatInteger } from '../../format/numbers.ts'
import { useId } from '../../hooks/useId.ts'
import { describeOffer, findPermit, formatSpendingApproval } from './permissions.ts'

type Props = {
  permission: ApprovalMethod
  review: Pick<Review, 'permissions' | 'approvalFee'>
  /** Chosen by the wallet, if known. */
  recommended: ApprovalMethod['via'] | undefined
  sell: Token
  amount: bigint
  coin: string
  chainId: number
  onChoose(permission: ApprovalMethod): void
  onClose(): void
}

/** Selects approval method and amount. */
export function SpendingApprovalSheet(props: Props) {
  const { permission, review, recommended, sell, amount, coin, chainId, onChoose, onClose } = props
  const { permissions: offers, approvalFee } = review
  const [via, setVia] = useState(permission.via)
  const [limit, setLimit] = useState<Limit>('amount' in permission ? permission.amount : amount)
  const [agreed, setAgreed] = useState('')
  const fees = useFeeFormat(coin, chainId)
  const group = useId()
  const symbol = formatSymbol(sell)
  const sold = `${formatInteger(amount, sell.decimals)} ${symbol}`
  // Known for the reviewed method only.
  const fee = approvalFee === undefined ? undefined : fees.of({ expectedFee: approvalFee }).text
  const chosen =
    via === 'permit' ? findPermit(offers) : limit === 'invalid' ? undefined : { via, amount: limit }
  const risk = toRisk(chosen, symbol)
  return (
    <Sheet title={t('{symbol} approval', { symbol })} onClose={onClose}>
      <fieldset class="panel group" aria-label={t('Approval method')}>
        {offers.map((offer) => {
          const isApproval = offer.via === 'approve' && chosen?.via === 'approve'
          const isReviewed = offer.via === permission.via
          const { name, hint } = describeOffer(offer, { sold, symbol, fee: isReviewed ? fee : undefined })
          return (
            <label key={offer.via} class="list-row switch-row">
              <input
                type="radio"
                name={group}
                checked={offer.via === via}
                onChange={() => {
                  setVia(offer.via)
                  if (limit === 'invalid') setLimit(amount)
                }}
              />
              <span class="grow">
                {isApproval ? formatSpendingApproval(chosen, { ...sell, amount, symbol }, false) : name}
                {offers.length > 1 && offer.via === recommended && (!isApproval || limit === amount) && (
                  <>
                    {' '}
                    <span class="tag approval-tag">{t('Recommended')}</span>
                  </>
                )}
                <span class="dim small switch-hint">{hint}</span>
              </span>
            </label>
          )
        })}
      </fieldset>
      {via !== 'permit' && (
        <LimitChoice
          key={via}
          token={sell}
          exact={{ label: t('This swap'), amount, note: t('Exactly {sold}, nothing more.', { sold }) }}
          unlimited={maxUint256}
          limit={limit === 'invalid' ? amount : limit}
          min={amount}
          max={maxUint256}
          onChange={setLimit}
        />
      )}
      {risk && (
        <Checkbox
          label={risk}
          isTicked={agreed === risk}
          onTick={(isTicked) => setAgreed(isTicked ? risk : '')}
        />
      )}
      <button
        type="button"
        class="main"
        disabled={chosen === undefined || (risk !== undefined && agreed !== risk)}
        onClick={() => {
          if (chosen === undefined) return
          onChoose(chosen)
          onClose()
        }}
      >
        {t('Update approval')}
      </button>
    </Sheet>
  )
}

/** An allowance that outlasts the swap. */
function toRisk(chosen: ApprovalMethod | undefined, symbol: string): string | undefined {
  if (chosen === undefined) return undefined
  if (chosen.via === 'permit' ? !chosen.isUnlimited : !isUnlimited(chosen.amount)) return undefined
  return chosen.via === 'permit2'
    ? t(
        'Permit2 can spend all {symbol} in this account, including future deposits, until you revoke the approval. A bug in Permit2 could cost you all of it.',
        { symbol },
      )
    : t(
        'The router can spend all {symbol} in this account, including future deposits, until you revoke the approval. A bug in the router could cost you all of it.',
        { symbol },
      )
}
