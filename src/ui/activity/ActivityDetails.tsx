import '../style/lazy/activity.css'
import '../style/lazy/send.css'
import '../style/lazy/outcome.css'
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import {
  type Activity,
  activityAmounts,
  activityState,
  isCancelling,
  isUnreadable,
  waitingStep,
} from '../../domain/activity/activity.ts'
import { getChainId, isSwap } from '../../domain/activity/intent.ts'
import { getKept } from '../../domain/swap/kept.ts'
import { minReturnFor } from '../../domain/swap/minimum.ts'
import type { Swap } from '../../domain/swap/swap.ts'
import type { Address, Token } from '../../domain/token/token.ts'
import { t, tx } from '../../i18n/translate.ts'
import { Amount } from '../components/Amount.tsx'
import { Icon } from '../components/Icon.tsx'
import { Logo } from '../components/Logo.tsx'
import { useNames } from '../hooks/data/useContacts.ts'
import { useStores } from '../hooks/data/useStore.ts'
import {
  activityStateIcons,
  activityTitle,
  amountLabels,
  isForOther,
  statusLabel,
  statusText,
} from '../messages/activity.ts'
import { KnownRecipient } from '../send/KnownRecipient.tsx'
import { TokenSide } from '../tokens/TokenSide.tsx'
import { TokenChain } from '../tokens/tokenLogos.ts'
import type { Tokens } from '../tokens/useTokens.ts'
import { ActivityMetadata } from './ActivityMetadata.tsx'
import { SwapDone } from './done/SwapDone.tsx'
import { FailedNote } from './FailedNote.tsx'
import { ProgressPanel } from './progress/ProgressPanel.tsx'
import { ReplaceButtons } from './ReplaceButtons.tsx'
import { SwapFacts } from './SwapFacts.tsx'
import { SwapResult } from './SwapResult.tsx'
import { TransactionSteps } from './TransactionSteps.tsx'
import { useEntryTokens } from './useEntryTokens.ts'

type Props = { entry: Activity; children?: ComponentChildren }

export function ActivityDetails({ entry, children }: Props) {
  const alone = useMemo(() => [entry], [entry])
  const tokens = useEntryTokens(alone)
  const { outcome, intent } = entry
  const pair = toPair(entry, tokens)
  const recipient = toRecipient(entry)
  const symbolOf = (token: Address) => tokens.symbolOf(getChainId(intent), token)
  const title = activityTitle(entry, symbolOf)
  const isKept = pair !== undefined && isSwap(entry) && getKept(entry) !== undefined
  return (
    <TokenChain value={getChainId(intent)}>
      {pair && isSwap(entry) && isKept ? (
        <SwapDone swap={entry} {...pair} title={title} status={<Status entry={entry} />} />
      ) : (
        <Head entry={entry} title={title} />
      )}
      {isSwap(entry) && outcome.status === 'working' && <ProgressPanel swap={entry} symbolOf={symbolOf} />}
      {outcome.status === 'failed' && outcome.code !== 'cancelled' && (
        <FailedNote entry={entry} outcome={outcome} tokens={tokens} />
      )}
      {outcome.status === 'below-minimum' && isSwap(entry) && <BelowMinimum swap={entry} buy={pair?.buy} />}
      <ReplaceButtons entry={entry} />
      {!isKept && <ActivityAmounts entry={entry} tokens={tokens} />}
      {recipient && <Recipient address={recipient} />}
      {isSwap(entry) && pair && <SwapResult swap={entry} {...pair} />}
      {children}
      <TransactionSteps entry={entry} pair={pair} />
      {isSwap(entry) && pair && <SwapFacts swap={entry} buy={pair.buy} />}
      {isUnreadable(entry) || <ActivityMetadata entry={entry} />}
    </TokenChain>
  )
}

function Head({ entry, title }: { entry: Activity; title: string }) {
  const state = activityState(entry)
  return (
    <div class="outcome" data-state={state}>
      <span class="seal">
        {state === 'waiting' ? <Logo size={60} /> : <Icon name={activityStateIcons[state]} size={30} />}
      </span>
      <p class="outcome-words" aria-live="polite">
        <strong>{title}</strong>
        <span class="small">
          <Status entry={entry} />
        </span>
      </p>
    </div>
  )
}

function Status({ entry }: { entry: Activity }) {
  const step = waitingStep(entry)
  const story = statusText(entry)
  return (
    <>
      <span class="entry-state">{step && isCancelling(step) ? t('Cancelling…') : statusLabel(entry)}</span>
      {story && ` · ${story}`}
    </>
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

function toRecipient(entry: Activity): Address | undefined {
  if (isSwap(entry)) return entry.intent.receiver
  return entry.intent.purpose?.kind === 'transfer' ? entry.intent.purpose.to : undefined
}

function toPair(entry: Activity, { tokenOf }: Tokens) {
  if (!isSwap(entry) || isUnreadable(entry)) return undefined
  const { chainId, sell, buy } = entry.intent.trade
  const [sold, bought] = [tokenOf(chainId, sell), tokenOf(chainId, buy)]
  return sold && bought ? { sell: sold, buy: bought } : undefined
}

/** Amounts moved, or expected while pending. */
function ActivityAmounts({ entry, tokens }: { entry: Activity; tokens: Tokens }) {
  const chainId = getChainId(entry.intent)
  const { out, in: into } = isUnreadable(entry) ? {} : activityAmounts(entry)
  const words = amountLabels(entry)
  if (out === undefined && into === undefined) return null
  return (
    <section class="panel sides sides-apart">
      {out && (
        <TokenSide
          what={words.out}
          amount={out.amount}
          address={out.token}
          token={tokens.tokenOf(chainId, out.token)}
          isExact
        />
      )}
      {into && (
        <TokenSide
          what={words.in}
          amount={into.amount}
          address={into.token}
          token={tokens.tokenOf(chainId, into.token)}
          isGain={entry.outcome.status === 'done' && !entry.outcome.isLeast && !isForOther(entry)}
        />
      )}
    </section>
  )
}

/** Alert for a mined swap that paid less than its minimum. */
function BelowMinimum({ swap, buy }: { swap: Swap; buy: Token | undefined }) {
  const { intent, outcome } = swap
  if (outcome.status !== 'below-minimum') return null
  const { received, spent = intent.trade.amount } = outcome
  const amounts = buy && {
    received: <Amount amount={received} token={buy} />,
    minimum: <Amount amount={minReturnFor(intent, spent)} token={buy} />,
  }
  return (
    <div class="note note-bad" role="alert">
      <p>
        <strong>
          {amounts === undefined
            ? t('The swap paid out less than its minimum.')
            : isForOther(swap)
              ? tx('The recipient received {received}, less than the minimum of {minimum}.', amounts)
              : tx('You received {received}, less than the minimum of {minimum}.', amounts)}
        </strong>{' '}
        {t(
          'Don’t repeat this swap. Stop using this swap service, and revoke its router’s remaining allowances.',
        )}
      </p>
    </div>
  )
}
