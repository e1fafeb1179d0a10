import type { Network } from '../../../domain/network/network.ts'
import { gainBps } from '../../../domain/swap/market.ts'
import { partnerFee } from '../../../domain/swap/quote.ts'
import type { Review, SwapTerms } from '../../../domain/swap/swap.ts'
import { type Address, isNative, type Token } from '../../../domain/token/token.ts'
import { t } from '../../../i18n/translate.ts'
import type { Account } from '../../../protocol.ts'
import type { Plan } from '../../../state/swap/swapFlow.ts'
import { Amount } from '../../components/Amount.tsx'
import { AddressGroups } from '../../components/address/AddressGroups.tsx'
import { CopyableAddress } from '../../components/address/CopyableAddress.tsx'
import { Identicon } from '../../components/address/Identicon.tsx'
import { CopyButton } from '../../components/fields/CopyButton.tsx'
import { EditableValue } from '../../components/fields/EditableValue.tsx'
import { Row } from '../../components/Row.tsx'
import { TokenIcon } from '../../components/TokenIcon.tsx'
import { FeeRow } from '../../fees/FeeRow.tsx'
import { SpeedSheet } from '../../fees/SpeedSheet.tsx'
import { accountName } from '../../format/accountName.ts'
import { formatSymbol, shortAddress } from '../../format/address.ts'
import { formatInteger, formatPercent } from '../../format/numbers.ts'
import { useSheet } from '../../hooks/useSheet.ts'
import { toImpactView } from './impact.ts'
import { toPriceCheck } from './market.ts'
import { formatSpendingApproval, isAllOrNothing } from './permissions.ts'
import { SpendingApprovalSheet } from './SpendingApprovalSheet.tsx'

type Props = {
  plan: Plan
  review: Review | undefined
  sell: Token
  buy: Token
  network: Network
  account: Account
  isWrap: boolean
  onChange(terms: Pick<SwapTerms, 'permission' | 'speed'>): void
}

/** Rows are always present, to avoid layout shifts. */
export function ReviewSummary(props: Props) {
  const { plan, review, sell, buy, network, account, isWrap, onChange } = props
  const [asked, ask] = useSheet<'speed' | 'permission'>(review === undefined)
  const waiting = <span class="bone" />
  const coin = network.coin.symbol
  const { speed = 'normal' } = plan
  const { amount } = plan.trade
  const { feeBps = 0, referrer } = plan.options ?? {}
  const done = () => ask(undefined)
  return (
    <>
      <dl class="rows panel">
        {!isWrap && (
          <>
            <Row name={t('Expected output')}>
              {review ? <Amount amount={review.quote.returns} token={buy} /> : waiting}
            </Row>
            <Row name={t('At market price')}>{review ? <Market review={review} buy={buy} /> : waiting}</Row>
            <Row name={t('Price impact')}>{review ? <Impact bps={review.impactBps} /> : waiting}</Row>
            <Row name={t('Max slippage')}>{formatPercent(plan.slippageBps)}</Row>
            {feeBps > 0 && referrer && (
              <>
                <Row name={t('Partner fee')}>
                  <Amount amount={partnerFee(amount, feeBps)} token={sell} /> ({formatPercent(feeBps)})
                </Row>
                <Row name={t('Fee recipient')}>
                  <CopyableAddress address={referrer} of={t('the partner')} />
                </Row>
              </>
            )}
          </>
        )}
        <FeeRow cost={review} speed={speed} coin={coin} onPress={() => ask('speed')} />
        {!isWrap && !isNative(sell.address) && (
          <Row name={t('Approval')}>
            {review === undefined ? (
              waiting
            ) : review.permission === undefined ? (
              t('Already approved')
            ) : (
              <EditableValue label={t('Edit approval')} onPress={() => ask('permission')}>
                {formatSpendingApproval(
                  review.permission,
                  { amount, decimals: sell.decimals, symbol: formatSymbol(sell) },
                  isAllOrNothing(review.permissions, review.permission.via),
                )}
              </EditableValue>
            )}
          </Row>
        )}
        <Row name={isWrap ? t('Contract') : t('Router')}>
          {review ? (
            <CopyableAddress address={review.router} of={isWrap ? t('the contract') : t('the router')} />
          ) : (
            waiting
          )}
        </Row>
        <Row name={t('Network')}>{network.name}</Row>
        <Row name={t('Account')}>
          <span class="inline" title={account.address}>
            <Identicon address={account.address} size={16} />
            <span class="clip">{accountName(account)}</span>
            {shortAddress(account.address)}
          </span>
        </Row>
      </dl>
      {review && asked === 'speed' && (
        <SpeedSheet
          review={review}
          speed={speed}
          coin={coin}
          onChoose={(chosen) => onChange({ speed: chosen })}
          onClose={done}
        />
      )}
      {review?.permission && asked === 'permission' && (
        <SpendingApprovalSheet
          permission={review.permission}
          offers={review.permissions}
          sell={sell}
          amount={amount}
          onChoose={(chosen) => onChange({ permission: chosen })}
          onClose={done}
        />
      )}
    </>
  )
}

type SidesProps = Pick<Props, 'plan' | 'review' | 'sell' | 'buy' | 'isWrap'> & { isFailed: boolean }

/** Shows amounts, or the token alone if the review failed. */
export function ReviewSides({ plan, review, sell, buy, isWrap, isFailed }: SidesProps) {
  return (
    <section class="panel sides review-sides">
      <div class="side">
        <TokenIcon token={sell} size={32} />
        <span class="side-words">
          <span class="dim small">{t('You sell')}</span>
          <strong class="num side-amount">
            {formatInteger(plan.trade.amount, sell.decimals)} {formatSymbol(sell)}
          </strong>
        </span>
      </div>
      <div class="side">
        <TokenIcon token={buy} size={32} />
        <span class="side-words">
          <span class="dim small">{isWrap || isFailed ? t('You receive') : t('You receive (min)')}</span>
          <strong class="num side-amount side-floor">
            {review ? (
              <Amount amount={review.floor} token={buy} />
            ) : isFailed ? (
              formatSymbol(buy)
            ) : (
              <span class="bone" />
            )}
          </strong>
        </span>
      </div>
    </section>
  )
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

/** Return at the market price. */
function Market({ review, buy }: { review: Review; buy: Token }) {
  const { market, quote } = review
  const check = toPriceCheck(review)
  if (market === undefined || check.status === 'unknown') return <span class="dim">{t('Unknown')}</span>
  const gained = quote.returns > market.returns
  const apart = gained ? gainBps(quote.returns, market.returns) : check.quotedBps
  const sign = apart === 0 ? '' : gained ? '+' : '−'
  return (
    <span class={check.status === 'near' ? '' : check.status === 'below' ? 'warn' : 'bad'}>
      <Amount amount={market.returns} token={buy} /> ({sign}
      {formatPercent(apart)})
    </span>
  )
}

function Impact({ bps }: { bps: number | undefined }) {
  const { tone, value } = toImpactView(bps)
  const isPlain = tone === 'plain' || tone === 'note'
  return <span class={bps === undefined ? 'dim' : isPlain ? '' : tone}>{value}</span>
}
