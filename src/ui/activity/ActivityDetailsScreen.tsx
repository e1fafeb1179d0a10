import { type Activity, activityKind, isUnknown, mayComeBack } from '../../domain/activity/activity.ts'
import { getEntryId, isIncoming } from '../../domain/activity/incoming.ts'
import { getChainId, hasOutcome, isSwap } from '../../domain/activity/intent.ts'
import type { Address } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import { createSend } from '../../state/send/send.ts'
import { repeatSwap, repeatTransfer } from '../../state/swap/repeat.ts'
import { ErrorMessage } from '../components/alerts/ErrorMessage.tsx'
import { Page } from '../components/Page.tsx'
import { decimalMark } from '../format/numbers.ts'
import { useActivity } from '../hooks/data/useActivity.ts'
import { useMutation } from '../hooks/data/useMutation.ts'
import { useStores } from '../hooks/data/useStore.ts'
import { activityKindNames } from '../messages/activity.ts'
import type { ScreenProps } from '../screenProps.ts'
import { ActivityDetails } from './ActivityDetails.tsx'
import { IncomingDetails } from './IncomingDetails.tsx'

/** `of` is the entry's id. */
export function ActivityDetailsScreen({ of, account }: ScreenProps) {
  const { activity, router } = useStores()
  const { entries, error } = useActivity((state) => state)
  const entry = entries?.find((one) => getEntryId(one) === of)
  if (entry !== undefined && isIncoming(entry)) return <IncomingDetails transfer={entry} />
  if (entry !== undefined) {
    return (
      <Page
        title={t(activityKindNames[activityKind(entry)])}
        onBack={router.back}
        foot={<Acts entry={entry} account={account.address} />}
      >
        <ActivityDetails entry={entry} />
      </Page>
    )
  }
  return (
    <Page title={t('Activity')} onBack={router.back}>
      {error ? (
        <ErrorMessage error={error}>
          <button type="button" class="link" onClick={activity.refresh}>
            {t('Try again')}
          </button>
        </ErrorMessage>
      ) : (
        <p class="nothing" role="status">
          {entries === undefined ? t('Loading activity…') : t('Activity not found')}
        </p>
      )}
    </Page>
  )
}

function Acts({ entry, account }: { entry: Activity; account: Address }) {
  const stores = useStores()
  const isSafe = entry.outcome.status !== 'below-minimum' && !isUnknown(entry) && !mayComeBack(entry)
  const isRepeatable = hasOutcome(entry) && isSafe
  const transfer =
    isSwap(entry) || entry.intent.purpose?.kind !== 'transfer' ? undefined : entry.intent.purpose
  const repeat = useMutation(async () => {
    if (isSwap(entry)) await repeatSwap(stores, entry.intent)
    else if (transfer !== undefined) {
      const by = { chainId: getChainId(entry.intent), account, decimalMark: decimalMark() }
      await repeatTransfer(stores, stores.get(createSend), transfer, by)
    }
  })
  return (
    <>
      {repeat.error && <ErrorMessage error={repeat.error} />}
      <div class="two">
        {isRepeatable && (isSwap(entry) || transfer !== undefined) && (
          <button type="button" class="second" disabled={repeat.isRunning} onClick={() => repeat.run()}>
            {isSwap(entry) ? t('Swap again') : t('Repeat')}
          </button>
        )}
        <button type="button" class="second" onClick={() => stores.router.go('overview')}>
          {hasOutcome(entry) ? t('Close') : t('Close (keeps running)')}
        </button>
      </div>
    </>
  )
}
