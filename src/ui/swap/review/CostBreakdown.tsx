import type { CostBreakdown } from '../../../domain/swap/costBreakdown.ts'
import type { Token } from '../../../domain/token/token.ts'
import { t } from '../../../i18n/translate.ts'
import { Amount } from '../../components/Amount.tsx'
import { Row } from '../../components/Row.tsx'
import { formatPercent } from '../../format/numbers.ts'

type Props = { sum: CostBreakdown; feeBps: number | undefined; token: Token }

/** Adds up to the market value of the sold amount. */
export function CostBreakdownRows({ sum, feeBps = 0, token }: Props) {
  const { worth, impact, fee, slippage, networkFee, left } = sum
  return (
    <>
      <Row name={t('Market value')}>
        {impact === undefined ? t('Unknown') : <Amount amount={worth} token={token} />}
      </Row>
      <Taken name={t('Price impact and pool fees')} amount={impact} token={token} />
      {fee > 0n && (
        <Taken
          name={t('Partner fee ({percent})', { percent: formatPercent(feeBps) })}
          amount={fee}
          token={token}
        />
      )}
      {slippage !== undefined && <Taken name={t('Price change')} amount={slippage} token={token} />}
      <Taken name={t('Network fee')} amount={networkFee} token={token} />
      <Row name={t('Net value after fees')}>
        <strong>
          <Signed amount={left} token={token} sign="" />
        </strong>
      </Row>
    </>
  )
}

type Line = { amount: bigint | undefined; token: Token }

function Taken({ name, amount, token }: Line & { name: string }) {
  if (amount === undefined) return <Row name={name}>{t('Unknown')}</Row>
  return (
    <Row name={name}>
      <Signed amount={-amount} token={token} sign="+" />
    </Row>
  )
}

/** `sign` of positive amounts. */
function Signed({ amount, token, sign }: { amount: bigint; token: Token; sign: '' | '+' }) {
  return (
    <>
      {amount < 0n ? '−' : amount > 0n ? sign : ''}
      <Amount amount={amount < 0n ? -amount : amount} token={token} />
    </>
  )
}
