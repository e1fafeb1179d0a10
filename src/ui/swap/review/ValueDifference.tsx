import { type CostBreakdown, costBreakdown } from '../../../domain/swap/costBreakdown.ts'
import type { Review } from '../../../domain/swap/swap.ts'
import { splitValueDifference } from '../../../domain/swap/valueDifference.ts'
import type { Token } from '../../../domain/token/token.ts'
import { t } from '../../../i18n/translate.ts'
import { Row } from '../../components/Row.tsx'
import { formatValue } from '../../format/value.ts'
import { useStore, useStores } from '../../hooks/data/useStore.ts'
import { useValue } from '../../hooks/data/useValue.ts'
import { expectedReturn } from './ReviewSides.tsx'

type Props = { review: Review; feeBps: number | undefined; sell: Token; buy: Token }

/** Explains why the two values above differ by more than the price impact. */
export function ValueDifference({ review, feeBps, sell, buy }: Props) {
  const { quote } = review
  const { amount, chainId } = quote.trade
  const rate = useStore(useStores().prices, (state) => state.rate)
  const expected = expectedReturn(review)
  const { impact, fee }: Pick<CostBreakdown, 'impact' | 'fee'> = costBreakdown({
    ...review,
    returns: quote.returns,
    feeBps,
  })
  const paid = useValue(sell, amount, chainId)
  const received = useValue(buy, expected, chainId)
  const impactValue = useValue(buy, impact, chainId)
  const fees = useValue(buy, fee + quote.returns - expected, chainId)
  if (!paid || !received || !impactValue || !fees) return null
  const { total, sources } = splitValueDifference({
    paid: paid.usd,
    received: received.usd,
    impact: impactValue.usd,
    fees: fees.usd,
  })
  const signed = (cost: bigint) => {
    const text = formatValue(cost < 0n ? -cost : cost, rate)
    return cost === 0n || text.startsWith('<') ? text : `${cost > 0n ? '−' : '+'}${text}`
  }
  const causes = [
    { name: t('Price impact and pool fees'), cost: impactValue.usd },
    { name: t('Partner and transfer fees'), cost: fees.usd },
    { name: t('Different price sources'), cost: sources },
  ].filter(({ cost }) => cost >= cent || cost <= -cent)
  return (
    <>
      <dl class="rows">
        <Row name={t('Difference in value')}>
          <bdi class="num">{signed(total)}</bdi>
        </Row>
        {causes.map(({ name, cost }) => (
          <Row key={name} name={name}>
            <bdi class="num dim">{signed(cost)}</bdi>
          </Row>
        ))}
      </dl>
      {(sources >= cent || sources <= -cent) && (
        <p class="aside small dim">
          {t('Values use reference prices, which differ from the prices in the pools.')}
        </p>
      )}
    </>
  )
}

const cent = 1_000_000n
