import { expectedReturn, finalCostBreakdown, priceMoveBps } from '../../domain/swap/costBreakdown.ts'
import type { Swap } from '../../domain/swap/swap.ts'
import type { Token } from '../../domain/token/token.ts'
import { t, tx } from '../../i18n/translate.ts'
import { Amount } from '../components/Amount.tsx'
import { Fold } from '../components/Disclosure.tsx'
import { Row } from '../components/Row.tsx'
import { Note } from '../components/Warning.tsx'
import { formatPercent } from '../format/numbers.ts'
import { SumRows } from '../swap/review/CostBreakdown.tsx'

type Props = { swap: Swap; sell: Token; buy: Token }

/** What a swap that is done has brought and cost, against what was shown before. */
export function Result({ swap: { intent, outcome, paid, steps }, sell, buy }: Props) {
  if (outcome.status !== 'done') return null
  const { trade, slippageBps } = intent
  const { received, isLeast, spent = trade.amount } = outcome
  const sold = { part: spent, whole: trade.amount }
  const isWrap = steps.some(({ kind }) => kind === 'wrap' || kind === 'unwrap')
  // What is not known exactly is compared with nothing.
  const shown = isWrap || isLeast ? undefined : intent.shown
  return (
    <>
      {spent < trade.amount && (
        <Note>
          {tx('Partially filled: {sold} sold, {rest} returned.', {
            sold: <Amount amount={spent} token={sell} />,
            rest: <Amount amount={trade.amount - spent} token={sell} />,
          })}
        </Note>
      )}
      {shown && (
        <>
          <dl class="rows panel">
            <Moved
              bps={priceMoveBps(expectedReturn(shown.returns, sold), received)}
              allowedBps={slippageBps}
            />
          </dl>
          <Fold title={t('Cost breakdown')}>
            <dl class="rows">
              <SumRows
                sum={finalCostBreakdown(shown, { received, paid, sold, feeBps: intent.options?.feeBps })}
                feeBps={intent.options?.feeBps}
                token={buy}
              />
            </dl>
          </Fold>
        </>
      )}
    </>
  )
}

/** How far the price went between the look and the block, and what of the slippage that used up. */
function Moved({ bps, allowedBps }: { bps: number; allowedBps: number }) {
  const size = Math.abs(bps)
  const isTiny = size > 0 && size < 1
  const by = isTiny ? t('< {percent}', { percent: formatPercent(1) }) : formatPercent(size)
  const sign = isTiny || bps === 0 ? '' : bps < 0 ? '−' : '+'
  return (
    <>
      <Row name={t('Price change')}>
        {sign}
        {by}
      </Row>
      <Row name={t('Slippage used')}>
        {t('{used} of {allowed}', {
          used: bps < 0 ? by : formatPercent(0),
          allowed: formatPercent(allowedBps),
        })}
      </Row>
    </>
  )
}
