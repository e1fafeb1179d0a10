import type { Account } from '../../protocol.ts'
import type { Plan, SwapStage } from '../../state/swap.ts'
import { formatSymbol } from '../format.ts'
import { formatWhole } from '../numbers.ts'
import { ErrorNote } from '../parts/ErrorNote.tsx'
import { Origin } from '../parts/Origin.tsx'
import { Page } from '../parts/Page.tsx'
import { ReviewNumbers } from '../parts/ReviewNumbers.tsx'
import { usePair } from '../parts/usePair.ts'
import { useSettled, useStores } from '../use.ts'

type Props = { stage: Stage; account: Account; origin?: string }
type Stage = Exclude<SwapStage, { at: 'form' } | { at: 'progress' }>

/** The numbers that will be held to, before anything is signed. `origin` is the site that asked for the swap, if one did. */
export function Review({ stage, account, origin }: Props) {
  const { swap } = useStores()
  const review = 'review' in stage ? stage.review : undefined
  const isSettled = useSettled(review)
  const act = actOf(stage)
  const press = () => (act.does === 'confirm' ? swap.confirm() : swap.prepare(stage.plan))
  return (
    <Page
      title="Review swap"
      onBack={stage.at === 'confirming' ? undefined : swap.leave}
      foot={
        <button
          type="button"
          class="main"
          disabled={act.does === undefined || (act.does === 'confirm' && !isSettled)}
          onClick={press}
        >
          {act.label}
        </button>
      }
    >
      {origin !== undefined && <Origin origin={origin} />}
      {'error' in stage && (
        <ErrorNote error={stage.error}>
          {stage.error.code === 'below-floor' && <PageFloor plan={stage.plan} />}
        </ErrorNote>
      )}
      <ReviewNumbers
        plan={stage.plan}
        review={review}
        account={account}
        isFailed={stage.at === 'unprepared'}
      />
    </Page>
  )
}

/** A number that the user never chose. */
function PageFloor({ plan: { trade, atLeast } }: { plan: Plan }) {
  const pair = usePair(trade)
  if (atLeast === undefined || pair === undefined) return null
  const { buy } = pair
  return (
    <p>
      The site asks for at least {formatWhole(atLeast, buy.decimals)} {formatSymbol(buy)}. That no longer
      holds once you change what it filled in.
    </p>
  )
}

type Act = { label: string; does: 'confirm' | 'prepare' | undefined }

function actOf(stage: Stage): Act {
  switch (stage.at) {
    case 'preparing':
      return { label: 'Checking the swap…', does: undefined }
    case 'unprepared':
      return { label: 'Try again', does: 'prepare' }
    case 'review':
      return { label: stage.review.steps.length > 1 ? 'Approve and swap' : 'Swap', does: 'confirm' }
    case 'confirming':
      return { label: 'Signing…', does: undefined }
    case 'refused':
      // Nobody knows whether a worker that stopped had taken the intent: only the same one may be handed over again.
      return stage.error.code === 'worker-stopped'
        ? { label: 'Try again', does: 'confirm' }
        : { label: 'Review again', does: 'prepare' }
  }
}
