import { activityKind } from '../../domain/activity/activity.ts'
import type { Swap } from '../../domain/swap/swap.ts'
import type { Token } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import { Amount } from '../components/Amount.tsx'
import { Row } from '../components/Row.tsx'
import { formatSource } from '../format/address.ts'
import { formatPercent } from '../format/numbers.ts'
import { amountLabels } from '../messages/activity.ts'

export function SwapFacts({ swap, buy }: { swap: Swap; buy: Token }) {
  const { intent, outcome } = swap
  if (activityKind(swap) === 'wrap') return null
  const { shown, floor, slippageBps } = intent
  return (
    <dl class="rows panel rows-wrap">
      {shown && (
        <Row name={t('Quoted amount')}>
          <Amount amount={shown.returns} token={buy} />
        </Row>
      )}
      {(outcome.status === 'done' || outcome.status === 'below-minimum') && (
        <Row name={amountLabels(swap).in}>
          <Amount amount={outcome.received} token={buy} />
        </Row>
      )}
      <Row name={t('Minimum received')}>
        <Amount amount={floor} token={buy} />
      </Row>
      <Row name={t('Max slippage')}>{formatPercent(slippageBps)}</Row>
      {shown?.sources && shown.sources.length > 0 && (
        <Row name={t('Sources')}>{shown.sources.map(formatSource).join(', ')}</Row>
      )}
    </dl>
  )
}
