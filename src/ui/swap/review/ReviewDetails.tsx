import type { Network } from '../../../domain/network/network.ts'
import { costBreakdown } from '../../../domain/swap/costBreakdown.ts'
import { gainBps, type MarketReturns, type PriceCheck } from '../../../domain/swap/market.ts'
import type { Review } from '../../../domain/swap/swap.ts'
import type { Token } from '../../../domain/token/token.ts'
import { spokenLocale, t } from '../../../i18n/translate.ts'
import type { Account } from '../../../protocol.ts'
import type { Plan } from '../../../state/swap/swapFlow.ts'
import { Amount } from '../../components/Amount.tsx'
import { AccountRow } from '../../components/address/AccountRow.tsx'
import { CopyableAddress } from '../../components/address/CopyableAddress.tsx'
import { Disclosure } from '../../components/Disclosure.tsx'
import { Row } from '../../components/Row.tsx'
import { formatSymbol } from '../../format/address.ts'
import { formatAmount, formatPercent } from '../../format/numbers.ts'
import { formatAgo } from '../../format/relativeTime.ts'
import { type StepFacts, signatureTitle, stepTitle } from '../../messages/steps.ts'
import { CostBreakdownRows } from './CostBreakdown.tsx'
import { toPriceCheck } from './market.ts'
import { isAllOrNothing } from './permissions.ts'
import { externalReceiver } from './risks.ts'
import { AllowanceChanges } from './simulation/AllowanceChanges.tsx'
import { BalanceChanges } from './simulation/BalanceChanges.tsx'
import { SimulatedOutcome, SimulationMark } from './simulation/SimulationResult.tsx'
import { ValueDifference } from './ValueDifference.tsx'

type Props = {
  plan: Plan
  review: Review | undefined
  sell: Token
  buy: Token
  network: Network
  account: Account
  isWrap: boolean
  price: PriceCheck['status'] | undefined
}

/** Its summary is always there, to avoid layout shifts. */
export function ReviewDetails({ review, price, ...props }: Props) {
  return (
    <Disclosure title={t('Details')} mark={<SimulationMark verdict={review?.verdict} price={price} />}>
      {review && <Contents {...props} review={review} price={price} />}
    </Disclosure>
  )
}

type ContentsProps = Props & { review: Review }

function Contents({ plan, review, sell, buy, network, account, isWrap, price }: ContentsProps) {
  const { quote, verdict } = review
  const seen = 'seen' in verdict ? verdict.seen : undefined
  const { feeBps } = plan.options ?? {}
  // Simulated tokens are never listed.
  const named = <Of extends { token: Token }>(items: Of[]) =>
    items.map((one) => ({
      ...one,
      token: [sell, buy].find(({ address }) => address === one.token.address) ?? one.token,
    }))
  return (
    <>
      <Steps plan={plan} review={review} sell={sell} buy={buy} />
      {verdict.status === 'matches' && (
        <p class="aside small">
          <SimulatedOutcome verdict={verdict} price={price} buy={buy} />
        </p>
      )}
      {seen && (
        <>
          <BalanceChanges changes={named(seen.changes)} />
          <AllowanceChanges grants={named(seen.grants)} />
        </>
      )}
      {!isWrap && (
        <dl class="rows">
          <Row name={t('At market price')}>
            <Market review={review} buy={buy} />
          </Row>
          {review.market && (
            <Row name={t('Market price source')}>
              <MarketSource market={review.market} />
            </Row>
          )}
          <Row name={t('Max slippage')}>{formatPercent(plan.slippageBps)}</Row>
          <CostBreakdownRows
            sum={costBreakdown({ ...review, returns: quote.returns, feeBps })}
            feeBps={feeBps}
            token={buy}
          />
        </dl>
      )}
      {!isWrap && <ValueDifference review={review} feeBps={feeBps} sell={sell} buy={buy} />}
      <Costs plan={plan} review={review} coin={network.coin.symbol} />
      <dl class="rows">
        <AccountRow name={t('Account')} account={account} />
        {externalReceiver(plan) === undefined && <AccountRow name={t('Recipient')} account={account} />}
        <Row name={t('Network')}>{network.name}</Row>
        <Row name={isWrap ? t('Contract') : t('Router')}>
          <CopyableAddress address={review.router} of={isWrap ? t('the contract') : t('the router')} />
        </Row>
      </dl>
    </>
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

function MarketSource({ market: { source, ageSeconds } }: { market: MarketReturns }) {
  if (source === 'pool') return t('Liquidity pools, via your RPC')
  if (ageSeconds === undefined) return t('Price oracle, via your RPC')
  return t('Price oracle, updated {ago}', { ago: formatAgo(ageSeconds * 1_000) })
}

function Steps({ plan, review, sell, buy }: Pick<ContentsProps, 'plan' | 'review' | 'sell' | 'buy'>) {
  const { permission, permissions, floor, steps } = review
  const facts: StepFacts = {
    sell: { symbol: formatSymbol(sell), decimals: sell.decimals, amount: plan.trade.amount },
    buy: { symbol: formatSymbol(buy), decimals: buy.decimals, amount: floor },
    permission,
    isForAll: permission && isAllOrNothing(permissions, permission.via),
  }
  const signature = signatureTitle(facts)
  const before = steps.slice(0, -1).map((kind) => stepTitle(kind, facts))
  const last = steps.slice(-1).map((kind) => stepTitle(kind, facts))
  return (
    <ol class="plan" aria-label={t('Steps')}>
      {[...before, ...(signature === undefined ? [] : [signature]), ...last].map((title) => (
        <li key={title}>{title}</li>
      ))}
    </ol>
  )
}

/** The fee in the native token. */
function Costs({ plan, review, coin }: Pick<ContentsProps, 'plan' | 'review'> & { coin: string }) {
  const { gas, expectedFee, feeCap, l1Fee, accessList } = review
  return (
    <dl class="rows">
      <Row name={t('Estimated fee')}>
        {formatAmount(expectedFee, 18)} {coin}
      </Row>
      <Row name={t('Max network fee')}>
        {formatAmount(feeCap, 18)} {coin}
      </Row>
      {l1Fee > 0n && (
        <Row name={t('L1 data fee')}>
          {formatAmount(l1Fee, 18)} {coin}
        </Row>
      )}
      <Row name={t('Gas limit')}>{gas.toLocaleString(spokenLocale())}</Row>
      {accessList && (
        <Row
          name={
            accessList.gasWith < accessList.gasWithout ? t('Access list (used)') : t('Access list (not used)')
          }
        >
          {t('{with} vs. {without} gas', {
            with: accessList.gasWith.toLocaleString(spokenLocale()),
            without: accessList.gasWithout.toLocaleString(spokenLocale()),
          })}
        </Row>
      )}
      {plan.allowPartialFill && <Row name={t('Partial fill')}>{t('Allowed')}</Row>}
    </dl>
  )
}
