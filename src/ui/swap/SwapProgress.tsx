import { activityKind, isUnknown, mayComeBack } from '../../domain/activity/activity.ts'
import { hasOutcome } from '../../domain/activity/intent.ts'
import type { Swap } from '../../domain/swap/swap.ts'
import { t } from '../../i18n/translate.ts'
import { repeatSwap } from '../../state/swap/repeat.ts'
import { ActivityDetails } from '../activity/ActivityDetails.tsx'
import { RemainingAllowance } from '../activity/RemainingAllowance.tsx'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { Page } from '../components/Page.tsx'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useStore, useStores } from '../hooks/data/useStore.ts'
import { activityKindNames } from '../messages/activity.ts'
import { usePair } from '../tokens/useTokens.ts'
import { toPlan } from './review/requote.ts'
import { priceAction } from './review/reviewAction.ts'

/** Progress of a confirmed swap. */
export function SwapProgress({ id }: { id: string }) {
  const { swap } = useStores()
  const entry = useStore(swap, ({ swaps }) => swaps.find(({ intent }) => intent.id === id))
  return entry === undefined ? null : <Under swap={entry} />
}

function Under({ swap: entry }: { swap: Swap }) {
  const stores = useStores()
  const { outcome, intent } = entry
  const pair = usePair(intent.trade)
  const leave = () => {
    // A failed swap is retried from the form.
    if (outcome.status !== 'failed') stores.trade.clear(intent.id)
    stores.swap.leave()
  }
  // No retry of dapp requests, or of swaps that may still be mined.
  const isOpen = isUnknown(entry) || mayComeBack(entry)
  const isRepeatable = outcome.status === 'failed' && !isOpen && stores.purpose !== 'requests'
  const plan = toPlan(intent)
  const mayRepeat = outcome.status === 'done' && stores.purpose !== 'requests'
  const repeat = useMutation(async () => {
    leave()
    await repeatSwap(stores, intent)
  })
  const again = outcome.status === 'failed' ? priceAction(outcome, plan) : undefined
  return (
    <Page
      title={t(activityKindNames[activityKind(entry)])}
      foot={
        isRepeatable ? (
          <div class="stack">
            <button type="button" class="main" onClick={() => stores.swap.prepare(again?.plan ?? plan)}>
              {again?.label ?? t('Review again')}
            </button>
            <button type="button" class="second" onClick={leave}>
              {t('Back to swap')}
            </button>
          </div>
        ) : (
          <>
            {repeat.error && <ErrorMessage error={repeat.error} />}
            <div class={mayRepeat ? 'two' : undefined}>
              {mayRepeat && (
                <button type="button" class="second" disabled={repeat.isRunning} onClick={() => repeat.run()}>
                  {t('Swap again')}
                </button>
              )}
              <button type="button" class={hasOutcome(entry) ? 'main' : 'second'} onClick={leave}>
                {outcome.status === 'failed' || outcome.status === 'below-minimum'
                  ? t('Close')
                  : hasOutcome(entry)
                    ? t('Done')
                    : t('Close (keeps running)')}
              </button>
            </div>
          </>
        )
      }
    >
      <ActivityDetails entry={entry}>
        {pair && hasOutcome(entry) && intent.router !== intent.trade.sell && (
          <RemainingAllowance swap={entry} sell={pair.sell} />
        )}
      </ActivityDetails>
    </Page>
  )
}
