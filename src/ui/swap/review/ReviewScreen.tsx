import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { quoteKey } from '../../../domain/swap/quote.ts'
import { isSignable, type Review as Numbers, type Review, type SwapTerms } from '../../../domain/swap/swap.ts'
import { isWrap as isWrapOf } from '../../../domain/swap/wrap.ts'
import { isNative, type Token } from '../../../domain/token/token.ts'
import { t, tx } from '../../../i18n/translate.ts'
import type { Account } from '../../../protocol.ts'
import { Amount } from '../../components/Amount.tsx'
import { SiteOrigin } from '../../components/address/SiteOrigin.tsx'
import { Warning } from '../../components/alerts/Warning.tsx'
import { ConfirmButton } from '../../components/fields/ConfirmButton.tsx'
import { Page } from '../../components/Page.tsx'
import { formatSymbol } from '../../format/address.ts'
import { formatPercent } from '../../format/numbers.ts'
import { useNetwork } from '../../hooks/data/useNetwork.ts'
import { useStore, useStores } from '../../hooks/data/useStore.ts'
import { Lookalikes } from '../../tokens/Lookalikes.tsx'
import { usePair } from '../../tokens/useTokens.ts'
import { toImpactView } from './impact.ts'
import { belowMarket, formatMarketLoss, toPriceCheck } from './market.ts'
import { ReviewDetails } from './ReviewDetails.tsx'
import { ReviewError } from './ReviewError.tsx'
import { Receiver, ReviewSides, ReviewSummary } from './ReviewSummary.tsx'
import { Risks } from './Risks.tsx'
import { reviewAction, type ReviewStage as Stage } from './reviewAction.ts'
import { externalReceiver, keepValid, requiredConsents, reviewedSwap, toAccepted } from './risks.ts'
import { SimulationResult } from './simulation/SimulationResult.tsx'

type Props = { stage: Stage; account: Account; origin?: string }

/** `origin` is the requesting site, if any. */
export function ReviewScreen({ stage, account, origin }: Props) {
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
  return (
    <Page
      title={!isWrap ? t('Review swap') : isNative(plan.trade.sell) ? t('Wrap') : t('Unwrap')}
      onBack={stage.at === 'confirming' ? undefined : swap.leave}
      foot={
        <>
          {pair && !isFailed && !act.plan && (
            <Risks risks={risks} taken={taken} sell={pair.sell} amount={plan.trade.amount} onTake={take} />
          )}
          <ConfirmButton
            content={[
              reviewedSwap(plan, 'review' in stage ? stage.review : undefined),
              act.label,
              mayAct,
            ].join()}
            isDisabled={!mayAct}
            onPress={press}
          >
            {act.label}
          </ConfirmButton>
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
                price={review && !isWrap ? toPriceCheck(review).status : undefined}
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
                account={account}
                isWrap={isWrap}
                onChange={(terms: Pick<SwapTerms, 'permission' | 'speed'>) => swap.change(terms)}
              />
              {review && (
                <ReviewDetails {...pair} plan={plan} review={review} network={network} isWrap={isWrap} />
              )}
            </>
          )}
        </div>
      )}
    </Page>
  )
}

/** Keeps the previous review, to avoid layout shifts. */
function useLatest(stage: Stage): Numbers | undefined {
  const latest = useRef<Numbers | undefined>(undefined)
  if ('review' in stage) latest.current = stage.review
  else if (stage.at === 'unprepared') latest.current = undefined
  return latest.current
}

/** Compares with the market if below it, else states price impact. */
function PriceNote({ review, buy }: { review: Review; buy: Token }) {
  const check = toPriceCheck(review)
  if (check.status === 'far-below' && check.isQuoted) {
    const percent = formatPercent(check.quotedBps)
    return (
      <p class="note note-bad" role="alert">
        <strong>{t('This quote is {percent} below the market price.', { percent })}</strong>
      </p>
    )
  }
  const below = belowMarket(check)
  // The checkbox states far-below losses.
  if (check.status === 'below') return <Warning>{formatMarketLoss(review, buy)}</Warning>
  if (below !== undefined) return <Warning>{below}</Warning>
  const { tone, words } = toImpactView(review.impactBps)
  if (tone === 'note') return <p class="aside small">{words}</p>
  if (tone === 'warn') return <Warning>{words}</Warning>
  if (tone !== 'bad') return null
  return (
    <p class="note note-bad" role="alert">
      <strong>{words}</strong>
    </p>
  )
}

/** Quotes ignore transfer fees of tokens. */
function TransferFeeNote({ review, sell, buy }: { review: Review; sell: Token; buy: Token }) {
  const { quote } = useStores()
  const priced = useStore(quote, (state) => (state.status === 'ready' ? state.quote : undefined))
  const { quote: promised, verdict } = review
  const [taxed] = [sell, buy].filter((token) => token.taxed)
  const arrives = verdict.status === 'matches' ? verdict.received : promised.returns
  if (taxed === undefined || priced === undefined || quoteKey(priced.trade) !== quoteKey(promised.trade))
    return null
  if (priced.returns <= arrives) return null
  return (
    <Warning>
      {tx('{symbol} charges a transfer fee, so the amount received is {amount}.', {
        symbol: formatSymbol(taxed),
        amount: <Amount amount={arrives} token={buy} />,
      })}
    </Warning>
  )
}
