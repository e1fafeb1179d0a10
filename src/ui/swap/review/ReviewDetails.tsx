import type { Network } from '../../../domain/network/network.ts'
import { costBreakdown } from '../../../domain/swap/costBreakdown.ts'
import type { MarketReturns } from '../../../domain/swap/market.ts'
import type { Review } from '../../../domain/swap/swap.ts'
import type { Token } from '../../../domain/token/token.ts'
import { spokenLocale, t } from '../../../i18n/translate.ts'
import type { Plan } from '../../../state/swap/swapFlow.ts'
import { Disclosure } from '../../components/Disclosure.tsx'
import { Row } from '../../components/Row.tsx'
import { formatSymbol } from '../../format/address.ts'
import { formatAmount, formatRate } from '../../format/numbers.ts'
import { formatAgo } from '../../format/relativeTime.ts'
import { type StepFacts, signatureTitle, stepTitle } from '../../messages/steps.ts'
import { CostBreakdownRows } from './CostBreakdown.tsx'
import { isAllOrNothing } from './permissions.ts'
import { AllowanceChanges } from './simulation/AllowanceChanges.tsx'
import { BalanceChanges } from './simulation/BalanceChanges.tsx'

type Props = { plan: Plan; review: Review; sell: Token; buy: Token; network: Network; isWrap: boolean }

export function ReviewDetails({ plan, review, sell, buy, network, isWrap }: Props) {
  const { quote, verdict } = review
  const seen = 'seen' in verdict ? verdict.seen : undefined
  const rate = formatRate(
    { amount: plan.trade.amount, decimals: sell.decimals },
    { amount: quote.returns, decimals: buy.decimals },
  )
  const { feeBps } = plan.options ?? {}
  // Simulated tokens are never listed.
  const named = <Of extends { token: Token }>(items: Of[]) =>
    items.map((one) => ({
      ...one,
      token: [sell, buy].find(({ address }) => address === one.token.address) ?? one.token,
    }))
  return (
    <Disclosure title={t('Details')}>
      <Steps plan={plan} review={review} sell={sell} buy={buy} />
      {seen && (
        <>
          <BalanceChanges changes={named(seen.changes)} />
          <AllowanceChanges grants={named(seen.grants)} />
        </>
      )}
      {!isWrap && (
        <dl class="rows">
          <Row name={t('Rate')}>
            1 {formatSymbol(sell)} = {rate} {formatSymbol(buy)}
          </Row>
          {review.market && (
            <Row name={t('Market price source')}>
              <MarketSource market={review.market} />
            </Row>
          )}
          <CostBreakdownRows
            sum={costBreakdown({ ...review, returns: quote.returns, feeBps })}
            feeBps={feeBps}
            token={buy}
          />
        </dl>
      )}
      <Calldata plan={plan} review={review} coin={network.coin.symbol} />
    </Disclosure>
  )
}

function MarketSource({ market: { source, ageSeconds } }: { market: MarketReturns }) {
  if (source === 'pool') return t('Liquidity pools, via your RPC')
  if (ageSeconds === undefined) return t('Price oracle, via your RPC')
  return t('Price oracle, updated {ago}', { ago: formatAgo(ageSeconds * 1_000) })
}

function Steps({ plan, review, sell, buy }: Pick<Props, 'plan' | 'review' | 'sell' | 'buy'>) {
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

function Calldata({ plan, review, coin }: Pick<Props, 'plan' | 'review'> & { coin: string }) {
  const { gas, networkFee, l1Fee, accessList } = review
  return (
    <dl class="rows">
      <Row name={t('Estimated fee')}>
        {formatAmount(networkFee, 18)} {coin}
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
