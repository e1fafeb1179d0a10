import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isSignable, type Review as Numbers, type SwapTerms } from '../../../domain/swap/swap.ts'
import { isWrap as isWrapOf } from '../../../domain/swap/wrap.ts'
import { isNative } from '../../../domain/token/token.ts'
import { t } from '../../../i18n/translate.ts'
import type { Account } from '../../../protocol.ts'
import { SiteOrigin } from '../../components/address/SiteOrigin.tsx'
import { ConfirmButton, type Todo } from '../../components/fields/ConfirmButton.tsx'
import { leadTo } from '../../components/fields/leadTo.ts'
import { Page } from '../../components/Page.tsx'
import { useNetwork } from '../../hooks/data/useNetwork.ts'
import { useStores } from '../../hooks/data/useStore.ts'
import { Lookalikes } from '../../tokens/Lookalikes.tsx'
import { usePair } from '../../tokens/useTokens.ts'
import { toPriceCheck } from './market.ts'
import { PriceNote, TransferFeeNote } from './PriceNotes.tsx'
import { ReviewDetails } from './ReviewDetails.tsx'
import { ReviewError } from './ReviewError.tsx'
import { Receiver, ReviewSides } from './ReviewSides.tsx'
import { ReviewSummary } from './ReviewSummary.tsx'
import { Risks } from './Risks.tsx'
import { reviewAction, type ReviewStage as Stage } from './reviewAction.ts'
import {
  type Consent,
  externalReceiver,
  keepValid,
  requiredConsents,
  reviewedSwap,
  toAccepted,
} from './risks.ts'
import { Pending, SimulationResult } from './simulation/SimulationResult.tsx'

type Props = {
  stage: Stage
  account: Account
  /** Requesting site. */
  origin?: string
  /** Button before the main one. */
  second?: ComponentChildren
}

export function ReviewScreen({ stage, account, origin, second }: Props) {
  const { swap } = useStores()
  const { plan } = stage
  const network = useNetwork(plan.trade.chainId)
  const pair = usePair(plan.trade)
  const review = useLatest(stage)
  const [taken, setTaken] = useState<string[]>([])
  const isWrap = network !== undefined && isWrapOf(plan.trade, network)
  const isFailed = stage.at === 'unprepared'
  const risks = requiredConsents(plan, review, pair?.buy, network?.coin.symbol)
  const act = reviewAction(stage, review, isWrap, pair?.buy)
  const mayConfirm =
    'review' in stage && isSignable(stage.review) && risks.every(({ id }) => taken.includes(id))
  const mayAct = act.does !== 'nothing' && (act.does !== 'confirm' || mayConfirm)
  const press = () => {
    if (act.does === 'prepare') swap.prepare(act.plan)
    else if (act.does === 'leave') swap.leave()
    else swap.confirm(toAccepted(risks, taken))
  }
  const asked = risks.map(({ id }) => id).join()
  useLayoutEffect(() => setTaken((before) => keepValid(before, risks)), [asked])
  const take = (id: string, isTaken: boolean) =>
    setTaken((before) => [...before.filter((one) => one !== id), ...(isTaken ? [id] : [])])
  const receiver = externalReceiver(plan)
  const price = review && !isWrap ? toPriceCheck(review).status : undefined
  const todo = act.does === 'confirm' && !mayConfirm ? toTodo(stage, risks, taken) : undefined
  return (
    <Page
      title={!isWrap ? t('Review swap') : isNative(plan.trade.sell) ? t('Wrap') : t('Unwrap')}
      onBack={stage.at === 'confirming' ? undefined : swap.leave}
      foot={
        <>
          {pair && !isFailed && !act.plan && (
            <Risks risks={risks} taken={taken} sell={pair.sell} amount={plan.trade.amount} onTake={take} />
          )}
          <div class={second ? 'request-acts' : undefined}>
            {second}
            <ConfirmButton
              content={[
                reviewedSwap(plan, 'review' in stage ? stage.review : undefined),
                act.label,
                mayAct,
              ].join()}
              isDisabled={!mayAct}
              isBusy={act.does === 'nothing'}
              todo={todo}
              onPress={press}
            >
              {act.label}
            </ConfirmButton>
          </div>
        </>
      }
    >
      {origin !== undefined && <SiteOrigin origin={origin} />}
      {'error' in stage && <ReviewError error={stage.error} plan={plan} />}
      {pair && network && (
        <div class="review" data-old={stage.at === 'preparing' && review !== undefined}>
          <ReviewSides {...pair} plan={plan} review={review} isWrap={isWrap} isFailed={isFailed} />
          <Lookalikes chainId={plan.trade.chainId} tokens={[pair.sell, pair.buy]} />
          {receiver && <Receiver address={receiver} />}
          {!isFailed && (
            <>
              <SimulationResult
                verdict={review?.verdict}
                price={price}
                buy={pair.buy}
                floor={review?.floor ?? 0n}
                plan={plan}
              />
              {review && <TransferFeeNote {...pair} review={review} />}
              {review && <PriceNote review={review} buy={pair.buy} />}
              <ReviewSummary
                {...pair}
                plan={plan}
                review={review}
                network={network}
                isWrap={isWrap}
                onChange={(terms: Pick<SwapTerms, 'permission' | 'speed'>) => swap.change(terms)}
              />
              <ReviewDetails
                {...pair}
                plan={plan}
                review={review}
                network={network}
                account={account}
                isWrap={isWrap}
                price={price}
              />
              {review === undefined && <Pending />}
            </>
          )}
        </div>
      )}
    </Page>
  )
}

/** Returns what keeps a review from being confirmed. */
function toTodo(stage: Stage, risks: Consent[], taken: string[]): Todo | undefined {
  if ('review' in stage && !isSignable(stage.review))
    return leadTo(t('See what blocks this swap'), '.review [role="alert"]')
  const index = risks.findIndex(({ id }) => !taken.includes(id))
  const place = `.risks > :nth-child(${index + 1})`
  return risks[index]?.needs === 'amount'
    ? leadTo(t('Enter the amount to continue'), place)
    : leadTo(t('Tick the box to continue'), place)
}

/** Keeps the previous review, to avoid layout shifts. */
function useLatest(stage: Stage): Numbers | undefined {
  const latest = useRef<Numbers | undefined>(undefined)
  if ('review' in stage) latest.current = stage.review
  else if (stage.at === 'unprepared') latest.current = undefined
  return latest.current
}
