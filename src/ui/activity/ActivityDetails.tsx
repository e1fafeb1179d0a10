import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { type Activity, activityState, isCancelling, waitingStep } from '../../domain/activity/activity.ts'
import { getChainId, isSwap } from '../../domain/activity/intent.ts'
import { isUnreadable } from '../../domain/activity/isUnknown.ts'
import type { Address } from '../../domain/token/token.ts'
import { t } from '../../i18n/translate.ts'
import { Icon } from '../components/Icon.tsx'
import { Logo } from '../components/Logo.tsx'
import { useNames } from '../hooks/useContacts.ts'
import { useStores } from '../hooks/useStore.ts'
import { activityStateIcons, activityTitle, statusLabel, statusText } from '../messages/activity.ts'
import { KnownRecipient } from '../send/KnownRecipient.tsx'
import type { Tokens } from '../tokens/useTokens.ts'
import { ActivityAmounts } from './ActivityAmounts.tsx'
import { ActivityMetadata } from './ActivityMetadata.tsx'
import { BelowMinimum } from './BelowMinimum.tsx'
import { FailedNote } from './FailedNote.tsx'
import { ReplaceButtons } from './ReplaceButtons.tsx'
import { SwapFacts } from './SwapFacts.tsx'
import { SwapResult } from './SwapResult.tsx'
import { TransactionSteps } from './TransactionSteps.tsx'
import { useEntryTokens } from './useEntryTokens.ts'
import '../style/activity.css'
import '../style/send.css'
import '../style/story.css'

type Props = { entry: Activity; children?: ComponentChildren }

export function ActivityDetails({ entry, children }: Props) {
  const alone = useMemo(() => [entry], [entry])
  const tokens = useEntryTokens(alone)
  const { outcome, intent } = entry
  const pair = pairOf(entry, tokens)
  const recipient = recipientOf(entry)
  return (
    <>
      <Head entry={entry} symbolOf={(token) => tokens.symbolOf(getChainId(intent), token)} />
      {outcome.status === 'failed' && outcome.code !== 'cancelled' && (
        <FailedNote entry={entry} outcome={outcome} tokens={tokens} />
      )}
      {outcome.status === 'below-minimum' && isSwap(entry) && <BelowMinimum swap={entry} buy={pair?.buy} />}
      <ReplaceButtons entry={entry} />
      <ActivityAmounts entry={entry} tokens={tokens} />
      {recipient && <Recipient address={recipient} />}
      {isSwap(entry) && pair && <SwapResult swap={entry} {...pair} />}
      {children}
      <TransactionSteps entry={entry} pair={pair} />
      {isSwap(entry) && pair && <SwapFacts swap={entry} buy={pair.buy} />}
      {isUnreadable(entry) || <ActivityMetadata entry={entry} />}
    </>
  )
}

function Head({ entry, symbolOf }: { entry: Activity; symbolOf(token: Address): string }) {
  const state = activityState(entry)
  const step = waitingStep(entry)
  const story = statusText(entry)
  return (
    <div class="outcome" data-state={state}>
      <span class="seal">
        {state === 'waiting' ? <Logo size={60} /> : <Icon name={activityStateIcons[state]} size={30} />}
      </span>
      <p class="outcome-words" aria-live="polite">
        <strong>{activityTitle(entry, symbolOf)}</strong>
        <span class="small">
          <span class="entry-state">
            {step && isCancelling(step) ? t('Cancelling…') : statusLabel(entry)}
          </span>
          {story && ` · ${story}`}
        </span>
      </p>
    </div>
  )
}

function Recipient({ address }: { address: Address }) {
  const { router } = useStores()
  const name = useNames()(address)
  return (
    <>
      <KnownRecipient address={address} name={name} />
      {name === undefined && (
        <button type="button" class="link small person-keep" onClick={() => router.go('contacts', address)}>
          {t('Add to contacts')}
        </button>
      )}
    </>
  )
}

function recipientOf(entry: Activity): Address | undefined {
  if (isSwap(entry)) return entry.intent.receiver
  return entry.intent.purpose?.kind === 'transfer' ? entry.intent.purpose.to : undefined
}

function pairOf(entry: Activity, { tokenOf }: Tokens) {
  if (!isSwap(entry) || isUnreadable(entry)) return undefined
  const { chainId, sell, buy } = entry.intent.trade
  const [sold, bought] = [tokenOf(chainId, sell), tokenOf(chainId, buy)]
  return sold && bought ? { sell: sold, buy: bought } : undefined
}
