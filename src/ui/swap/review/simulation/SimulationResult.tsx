import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { BalanceChange, SimulationVerdict, Unexpected } from '../../../../domain/activity/simulation.ts'
import type { PriceCheck } from '../../../../domain/swap/market.ts'
import { simulatedReturns } from '../../../../domain/swap/newPrice.ts'
import type { Token } from '../../../../domain/token/token.ts'
import { t, tx } from '../../../../i18n/translate.ts'
import type { Plan } from '../../../../state/swap/swapFlow.ts'
import { Amount } from '../../../components/Amount.tsx'
import { Alert } from '../../../components/alerts/Alert.tsx'
import { Warning } from '../../../components/alerts/Warning.tsx'
import { Icon } from '../../../components/Icon.tsx'
import { useDelayedFlag } from '../../../hooks/useDelayedFlag.ts'
import { formatBareReason, formatRevertReason } from '../../../messages/errors/revertReason.ts'
import { AllowanceChanges } from './AllowanceChanges.tsx'
import { BalanceChanges } from './BalanceChanges.tsx'
import { SiteMinimum } from './SiteMinimum.tsx'
import '../../../style/lazy/swapReview.css'

type Props = {
  verdict: SimulationVerdict | undefined
  /** Undefined for a wrap. */
  price: PriceCheck['status'] | undefined
  buy: Token
  floor: bigint
  plan: Plan
}

/** Everything about the simulation that needs attention. A plain result is under Details. */
export function SimulationResult({ verdict, price, buy, floor, plan }: Props) {
  const amount = verdict && 'received' in verdict ? verdict.received : undefined
  const received = amount !== undefined && <Amount amount={amount} token={buy} />
  switch (verdict?.status) {
    case undefined:
      return null
    case 'matches':
      if (isPlain(verdict)) {
        if (price !== 'unknown') return null
        return <Warning>{t('No second source could verify this price.')}</Warning>
      }
      return (
        <>
          <p class="banner verdict">
            <Icon name={isFair(price) ? 'check' : 'warn'} size={18} />
            <span class="grow">
              <SimulatedOutcome verdict={verdict} price={price} buy={buy} />
            </span>
            <CheckedDot verdict={verdict} />
          </p>
          {toItems(verdict).length > 0 && <BalanceChanges changes={toItems(verdict)} />}
        </>
      )
    case 'below-floor':
      return (
        <Alert
          what={
            received
              ? tx('Blocked: this swap would return {amount}, less than the minimum of {floor}.', {
                  amount: received,
                  floor: <Amount amount={floor} token={buy} />,
                })
              : t('The swap would return less than the minimum.')
          }
        >
          <p>{t('The price moved, or the token charges a transfer fee.')}</p>
          <SiteMinimum plan={plan} returns={simulatedReturns(verdict, plan.trade, plan)} />
        </Alert>
      )
    case 'unexpected':
      return (
        <Alert what={t('Blocked: this transaction does more than a swap.')}>
          <Surprises what={verdict.what} />
          <p>{t('Avoid these tokens, or use another RPC or swap service.')}</p>
        </Alert>
      )
    case 'reverts':
      return (
        <Alert what={t('Blocked: simulation shows this swap would fail.')}>
          <p class="reason">{formatBareReason(verdict.reason)}</p>
          <p>{t('Try a smaller amount, or exclude a source from the route.')}</p>
        </Alert>
      )
    case 'unknown':
      if (verdict.isCrowded)
        return <Alert what={t('Blocked: {reason}.', { reason: formatRevertReason(verdict.reason) })} />
      return (
        <Warning>
          {t('{reason}. Amounts come from the transaction data, not from a simulation.', {
            reason: formatRevertReason(verdict.reason),
          })}
        </Warning>
      )
  }
}

type Matching = Extract<SimulationVerdict, { status: 'matches' }>

/** True without anything about the simulation to read before signing. */
function isPlain(verdict: Matching): boolean {
  return toItems(verdict).length === 0 && !verdict.seen.isWeak
}

function isFair(price: Props['price']): boolean {
  return price === undefined || price === 'near'
}

/** A few words on a plain result, beside the title of the details. */
export function SimulationMark({ verdict, price }: Pick<Props, 'verdict' | 'price'>) {
  if (verdict === undefined) return <span class="bone" />
  const mark = toSimulationMark(verdict, price)
  if (mark === undefined) return null
  return (
    <span class={mark.isPassed ? 'small inline review-mark' : 'small inline dim'}>
      {mark.isPassed && <Icon name="check" size={16} />}
      {mark.text}
      <CheckedDot verdict={verdict} />
    </span>
  )
}

/** "Passed" requires that all balances were read, and a compared price. Undefined unless plain. */
export function toSimulationMark(
  verdict: SimulationVerdict,
  price: Props['price'],
): { text: string; isPassed: boolean } | undefined {
  if (verdict.status !== 'matches' || !isPlain(verdict)) return undefined
  if (verdict.seen.isNarrow) return { text: t('Simulated for these two tokens only'), isPassed: false }
  return isFair(price)
    ? { text: t('Simulation passed'), isPassed: true }
    : { text: t('Simulated'), isPassed: false }
}

/** Full text of a simulation by the user's RPC. */
export function SimulatedOutcome({
  verdict,
  price,
  buy,
}: Pick<Props, 'price' | 'buy'> & { verdict: Matching }) {
  return (
    <>
      <Matches
        isNarrow={verdict.seen.isNarrow === true}
        hasItems={toItems(verdict).length > 0}
        price={price}
        received={<Amount amount={verdict.received} token={buy} />}
      />
      {verdict.seen.isWeak &&
        ` ${t('With your RPC, contracts can tell this simulation from a real block and may behave differently.')}`}
    </>
  )
}

/** NFTs that move with a token of the trade. */
function toItems({ seen }: Matching): BalanceChange[] {
  return seen.changes.filter(({ nft }) => nft !== undefined)
}

type MatchesProps = {
  isNarrow: boolean
  hasItems: boolean
  price: Props['price']
  received: ComponentChildren
}

/** "Passed" requires a compared price: a simulation cannot tell a fair return. */
function Matches({ isNarrow, hasItems, price, received: amount }: MatchesProps) {
  if (price === undefined || price === 'near') {
    if (hasItems)
      return tx('Simulation passed: {amount} received. The NFTs below are also transferred.', { amount })
    return isNarrow
      ? tx('Simulation passed: {amount} received. No other changes to these two tokens.', { amount })
      : tx('Simulation passed: {amount} received for the tokens you sell. Nothing else changes.', { amount })
  }
  const simulated = hasItems
    ? tx('Simulation result: {amount} received. The NFTs below are also transferred.', { amount })
    : isNarrow
      ? tx('Simulation result: {amount} received. No other changes to these two tokens.', {
          amount,
        })
      : tx('Simulation result: {amount} received for the tokens you sell. Nothing else changes.', { amount })
  if (price !== 'unknown') return simulated
  return (
    <>
      {simulated} <strong>{t('No second source could verify this price.')}</strong>
    </>
  )
}

/** Below everything else, where it moves nothing. */
export function Pending() {
  return (
    <p class="aside small" role="status">
      {useDelayedFlag(true) ? (
        t('This is taking longer than usual. Nothing has been signed yet.')
      ) : (
        <span class="unseen">{t('Checking…')}</span>
      )}
    </p>
  )
}

/** Blinks on each new simulation. */
function CheckedDot({ verdict }: { verdict: SimulationVerdict }) {
  const [checks, setChecks] = useState(0)
  const before = useRef(verdict)
  useEffect(() => {
    if (before.current !== verdict) setChecks((count) => count + 1)
    before.current = verdict
  }, [verdict])
  return <span key={checks} class="checked-dot" title={t('Re-simulated every few seconds')} />
}

function Surprises({ what }: { what: Unexpected[] }) {
  const changes = what.flatMap((one) => (one.kind === 'leaves' ? [one.change] : []))
  const grants = what.flatMap((one) => (one.kind === 'grants' ? [one.grant] : []))
  return (
    <div class="stack">
      {changes.length > 0 && <BalanceChanges changes={changes} />}
      <AllowanceChanges grants={grants} />
    </div>
  )
}
