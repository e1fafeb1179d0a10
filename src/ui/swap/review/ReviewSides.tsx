import type { Review } from '../../../domain/swap/swap.ts'
import type { Address, Token } from '../../../domain/token/token.ts'
import { t, tx } from '../../../i18n/translate.ts'
import type { Plan } from '../../../state/swap/swapFlow.ts'
import { Amount } from '../../components/Amount.tsx'
import { AddressGroups } from '../../components/address/AddressGroups.tsx'
import { CopyButton } from '../../components/fields/CopyButton.tsx'
import { Icon } from '../../components/Icon.tsx'
import { TokenIcon } from '../../components/TokenIcon.tsx'
import { Value } from '../../components/Value.tsx'
import { formatSymbol } from '../../format/address.ts'
import { formatInteger, formatWithSymbol } from '../../format/numbers.ts'
import { TokenOrigin } from '../../tokens/TokenOrigin.tsx'
import '../../style/lazy/swapReview.css'

type Props = {
  plan: Plan
  review: Review | undefined
  sell: Token
  buy: Token
  isWrap: boolean
  isFailed: boolean
}

/** Paid, expected and guaranteed amounts, or the bought token alone if the review failed. */
export function ReviewSides({ plan, review, sell, buy, isWrap, isFailed }: Props) {
  const { amount, chainId } = plan.trade
  return (
    <section class="panel swap-sides" aria-label={t('Amounts')}>
      <div class="side">
        <TokenIcon token={sell} chainId={chainId} size={32} />
        <span class="side-words">
          <span class="dim small">{t('You pay')}</span>
          <span class="review-pays">
            <strong class="num side-amount">
              {formatInteger(amount, sell.decimals)} {formatSymbol(sell)}
            </strong>
            <span class="review-paid">
              <Value amount={amount} token={sell} chainId={chainId} />
            </span>
          </span>
          <Unlisted token={sell} />
        </span>
      </div>
      <div class="side review-gets">
        <TokenIcon token={buy} chainId={chainId} size={40} />
        <span class="side-words">
          <span class="dim small">{isWrap || isFailed ? t('You receive') : t('You receive (est.)')}</span>
          {isFailed ? (
            <strong class="side-amount">{formatSymbol(buy)}</strong>
          ) : review ? (
            <Expected review={review} plan={plan} buy={buy} isWrap={isWrap} />
          ) : (
            <ExpectedPlace />
          )}
          <Unlisted token={buy} />
        </span>
      </div>
      {!isWrap && !isFailed && <Guarantee review={review} plan={plan} buy={buy} />}
    </section>
  )
}

type ExpectedProps = Pick<Props, 'plan' | 'buy' | 'isWrap'> & { review: Review }

/** A wrap returns exactly its minimum. */
function Expected({ review, plan, buy, isWrap }: ExpectedProps) {
  const expected = isWrap ? review.floor : expectedReturn(review)
  const isLong = formatWithSymbol(expected, buy, false).length > longest
  return (
    <>
      <strong class={`review-expected ${isLong ? 'review-long' : ''} ${isWrap ? 'side-floor' : ''}`}>
        <Amount amount={expected} token={buy} />
      </strong>
      <span class="dim small review-value">
        <Value amount={expected} token={buy} chainId={plan.trade.chainId} />
      </span>
    </>
  )
}

/** Longer amounts get a smaller font. */
const longest = 15

function ExpectedPlace() {
  return (
    <>
      <span class="review-expected">
        <span class="bone" />
      </span>
      <span class="small review-value" />
    </>
  )
}

/** The minimum that the signed transaction states. */
function Guarantee({ review, plan, buy }: Pick<Props, 'review' | 'plan' | 'buy'>) {
  const amount = review && (
    <strong class="side-floor">
      <Amount amount={review.floor} token={buy} />
    </strong>
  )
  return (
    <p class="review-floor">
      <Icon name="check" size={18} />
      <span>
        {amount === undefined ? (
          <span class="bone" />
        ) : plan.allowPartialFill ? (
          tx('At least {amount} guaranteed if everything is sold', { amount })
        ) : (
          tx('At least {amount} guaranteed', { amount })
        )}
      </span>
    </p>
  )
}

/** Returns the quoted amount, or the simulated one if it is less. */
export function expectedReturn({ quote, verdict }: Pick<Review, 'quote' | 'verdict'>): bigint {
  const { returns } = quote
  return verdict.status === 'matches' && verdict.received < returns ? verdict.received : returns
}

/** Names of unlisted tokens are untrusted. */
function Unlisted({ token }: { token: Token }) {
  return token.listed === false ? <TokenOrigin address={token.address} token={token} /> : null
}

/** Recipient other than the account. */
export function Receiver({ address }: { address: Address }) {
  return (
    <section class="note note-bad" aria-label={t('Recipient')}>
      <strong>{t('Goes to another address')}</strong>
      <CopyButton text={address} label={t('Copy recipient address')}>
        <AddressGroups address={address} />
      </CopyButton>
    </section>
  )
}
