import { expectedReturn, finalCostBreakdown, priceMoveBps } from '../../domain/swap/costBreakdown.ts'
import type { Swap } from '../../domain/swap/swap.ts'
import type { Token } from '../../domain/token/token.ts'
import { t, tx } from '../../i18n/translate.ts'
import { Amount } from '../components/Amount.tsx'
import { Warning } from '../components/alerts/Warning.tsx'
import { Disclosure } from '../components/Disclosure.tsx'
import { Row } from '../components/Row.tsx'
import { formatPercent } from '../format/numbers.ts'
import { CostBreakdownRows } from '../swap/review/CostBreakdown.tsx'

type Props = { swap: Swap; sell: Token; buy: Token }

export function SwapResult({ swap: { intent, outcome, paid, steps }, sell, buy }: Props) {
  if (outcome.status !== 'done') return null
  const { trade, slippageBps } = intent
  const { received, isLeast, spent = trade.amount } = outcome
  const sold = { part: spent, whole: trade.amount }
  const isWrap = steps.some(({ kind }) => kind === 'wrap' || kind === 'unwrap')
  // Inexact amounts are not compared.
  const shown = isWrap || isLeast ? undefined : intent.shown
  return (
    <>
      {spent < trade.amount && (
        <Warning>
          {tx('Partially filled: {sold} sold, {rest} returned.', {
            sold: <Amount amount={spent} token={sell} />,
            rest: <Amount amount={trade.amount - spent} token={sell} />,
          })}
        </Warning>
      )}
      {shown && (
        <>
          <dl class="rows panel">
            <Moved
              bps={priceMoveBps(expectedReturn(shown.returns, sold), received)}
              allowedBps={slippageBps}
            />
          </dl>
          <Disclosure title={t('Cost breakdown')} isOpen>
            <dl class="rows">
              <CostBreakdownRows
                sum={finalCostBreakdown(shown, { received, paid, sold, feeBps: intent.options?.feeBps })}
                feeBps={intent.options?.feeBps}
                token={buy}
              />
            </dl>
          </Disclosure>
        </>
      )}
    </>
  )
}

/** Price change between quote and block, as a share of the allowed slippage. */
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
