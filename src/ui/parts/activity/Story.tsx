import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { type Activity, isCancelling, stateOf, waitingStep } from '../../../domain/activity/activity.ts'
import { chainIdOf, isSwap } from '../../../domain/activity/intent.ts'
import type { Address } from '../../../domain/token/token.ts'
import { WalletError } from '../../../errors.ts'
import { t } from '../../../language/translate.ts'
import { useStores } from '../../use.ts'
import { useNameOf } from '../../useContacts.ts'
import { entryTitle, stateIcons, stateWord, storyOf } from '../../words/activityWords.ts'
import { ErrorNote } from '../ErrorNote.tsx'
import { Icon } from '../Icon.tsx'
import { Mark } from '../Mark.tsx'
import { KnownRecipient } from '../send/KnownRecipient.tsx'
import type { Tokens } from '../tokens/useTokens.ts'
import { EntryFacts } from './EntryFacts.tsx'
import { EntrySides } from './EntrySides.tsx'
import { EntrySteps } from './EntrySteps.tsx'
import { ReplaceActs } from './ReplaceActs.tsx'
import { Result } from './Result.tsx'
import { SwapFacts } from './SwapFacts.tsx'
import { useEntryTokens } from './useEntryTokens.ts'
import '../../style/activity.css'
import '../../style/send.css'
import '../../style/story.css'

type Props = { one: Activity; children?: ComponentChildren }

/** One that was sent, from the press to long afterwards: how it stands, what can be done about it, and all that is known of it. */
export function Story({ one, children }: Props) {
  const alone = useMemo(() => [one], [one])
  const tokens = useEntryTokens(alone)
  const { outcome, intent } = one
  const pair = pairOf(one, tokens)
  const recipient = recipientOf(one)
  return (
    <>
      <Head one={one} symbolOf={(token) => tokens.symbolOf(chainIdOf(intent), token)} />
      {outcome.status === 'failed' && outcome.code !== 'cancelled' && (
        <ErrorNote error={new WalletError(outcome.code, outcome.message, outcome.facts)} />
      )}
      <ReplaceActs one={one} />
      <EntrySides one={one} tokens={tokens} />
      {recipient && <Recipient address={recipient} />}
      {isSwap(one) && pair && <Result swap={one} {...pair} />}
      {children}
      <EntrySteps one={one} pair={pair} />
      {isSwap(one) && pair && <SwapFacts swap={one} buy={pair.buy} />}
      <EntryFacts one={one} />
    </>
  )
}

function Head({ one, symbolOf }: { one: Activity; symbolOf(token: Address): string }) {
  const state = stateOf(one)
  const step = waitingStep(one)
  const story = storyOf(one)
  return (
    <div class="outcome" data-state={state}>
      <span class="seal">
        {state === 'waiting' ? <Mark size={60} /> : <Icon name={stateIcons[state]} size={30} />}
      </span>
      <p class="outcome-words" aria-live="polite">
        <strong>{entryTitle(one, symbolOf)}</strong>
        <span class="small">
          <span class="entry-state">{step && isCancelling(step) ? t('Cancelling…') : stateWord(one)}</span>
          {story && ` · ${story}`}
        </span>
      </p>
    </div>
  )
}

/** Somebody else who gets something. Who has no name yet may be given one. */
function Recipient({ address }: { address: Address }) {
  const { place } = useStores()
  const name = useNameOf()(address)
  return (
    <>
      <KnownRecipient address={address} name={name} />
      {name === undefined && (
        <button type="button" class="link small person-keep" onClick={() => place.go('contacts', address)}>
          {t('Keep as a contact')}
        </button>
      )}
    </>
  )
}

function recipientOf(one: Activity): Address | undefined {
  if (isSwap(one)) return one.intent.receiver
  return one.intent.purpose?.kind === 'transfer' ? one.intent.purpose.to : undefined
}

/** The two tokens of a swap, once both are known. */
function pairOf(one: Activity, { tokenOf }: Tokens) {
  if (!isSwap(one)) return undefined
  const { chainId, sell, buy } = one.intent.trade
  const [sold, bought] = [tokenOf(chainId, sell), tokenOf(chainId, buy)]
  return sold && bought ? { sell: sold, buy: bought } : undefined
}
