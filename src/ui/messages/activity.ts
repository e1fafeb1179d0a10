import {
  type Activity,
  type ActivityKind,
  type ActivityState,
  activityKind,
  activityState,
  amountsOf,
  isCancelling,
  waitingStep,
} from '../../domain/activity/activity.ts'
import { isSwap } from '../../domain/activity/intent.ts'
import { isUnknown, isUnreadable } from '../../domain/activity/isUnknown.ts'
import { mayComeBack } from '../../domain/activity/mayComeBack.ts'
import { calendarAt } from '../../domain/calendar.ts'
import type { Address } from '../../domain/token/token.ts'
import { defineMessage, t } from '../../i18n/translate.ts'
import type { IconName } from '../components/Icon.tsx'
import { shortOrigin } from '../format/origin.ts'

export const kindNames: Record<ActivityKind, string> = {
  swap: defineMessage('Swap'),
  wrap: defineMessage('Wrap or unwrap'),
  send: defineMessage('Send'),
  revoke: defineMessage('Permission taken back'),
  call: defineMessage('Asked for by a site'),
}

export const stateNames: Record<ActivityState, string> = {
  waiting: defineMessage('Waiting'),
  done: defineMessage('Done'),
  'below-minimum': defineMessage('Below the minimum'),
  failed: defineMessage('Failed'),
  cancelled: defineMessage('Cancelled'),
}

export const stateIcons: Record<ActivityState, IconName> = {
  waiting: 'clock',
  done: 'check',
  'below-minimum': 'warn',
  failed: 'warn',
  cancelled: 'close',
}

/** How it stands, in a word or two. */
export function statusLabel(entry: Activity): string {
  const { outcome } = entry
  if (outcome.status === 'needs-unlock') return t('Waiting for you')
  // Nobody knows: it may still happen.
  if (outcome.status === 'failed' && outcome.code === 'dropped') return t('Not seen any more')
  if (isUnknown(entry)) return t('Not known')
  if (outcome.status === 'done' && outcome.isLeast) return t('Done, amount received unknown')
  return t(stateNames[activityState(entry)])
}

/** What its two sides are called. What nobody sees any more may still happen. */
export function amountLabels(entry: Activity): { out: string; in: string } {
  const { outcome } = entry
  if (outcome.status === 'done') return { out: t('Sent'), in: receivedWord(entry, outcome.isLeast) }
  if (outcome.status === 'below-minimum') return { out: t('Sent'), in: receivedWord(entry) }
  if (outcome.status === 'failed' && outcome.code !== 'dropped' && !mayComeBack(entry))
    return { out: t('Would have sent'), in: t('Would have received, at least') }
  return { out: t('You send'), in: t('You receive at least') }
}

function receivedWord(entry: Activity, isLeast = false): string {
  if (isLeast) return t('Minimum (amount received unknown)')
  return isForOther(entry) ? t('Recipient received') : t('Received')
}

/** Whether what comes of it is somebody else's. */
export function isForOther({ intent }: Activity): boolean {
  return 'receiver' in intent && intent.receiver !== undefined && intent.receiver !== intent.account
}

/** What it is, in a line: "ETH → USDC". */
export function activityTitle(entry: Activity, symbolOf: (token: Address) => string): string {
  if (isUnreadable(entry)) return t('A damaged record')
  const { out, in: into } = amountsOf(entry)
  if (out !== undefined && into !== undefined)
    return t('{sold} → {bought}', { sold: symbolOf(out.token), bought: symbolOf(into.token) })
  if (isSwap(entry)) return t(kindNames[activityKind(entry)])
  const { purpose, origin } = entry.intent
  if (purpose?.kind === 'transfer') return t('Send {symbol}', { symbol: symbolOf(purpose.token) })
  if (purpose?.kind === 'revoke') return t('Permission for {symbol}', { symbol: symbolOf(purpose.token) })
  return origin === undefined ? t('Transaction') : t('For {site}', { site: shortOrigin(origin) })
}

/** How it stands, in a sentence. Of what failed the error says it. */
export function statusText(entry: Activity): string | undefined {
  const { outcome, steps } = entry
  const told = steps.find(({ state }) => state === 'reverted' || state === 'cancelled') ?? steps.at(-1)
  if (told?.isDoubted)
    return t('Only one of your two nodes says so yet. Check both in the network’s settings.')
  if (activityState(entry) === 'cancelled') {
    return steps.some(({ state }) => state === 'mined' || state === 'final')
      ? t('You cancelled it. What was in a block before stays.')
      : t('You cancelled it. Nothing else happened.')
  }
  if (outcome.status === 'failed')
    return mayComeBack(entry) ? t('It may still happen. Look here again in ten minutes.') : undefined
  if (outcome.status === 'needs-unlock') return t('Unlock the wallet to sign the next step.')
  if (outcome.status === 'done' && outcome.isLeast)
    return t('The amount received could not be read. Check the balance.')
  if (outcome.status === 'done' || outcome.status === 'below-minimum') {
    return steps.every(({ state }) => state === 'final')
      ? t('It is final.')
      : t('It is in a block, and soon final.')
  }
  if (outcome.waitsForTurn) return t('It waits for an older swap of the same token.')
  const step = waitingStep(entry)
  if (step && isCancelling(step))
    return t('A cancellation is on its way too. What the network takes first counts.')
  // A step that waits again keeps the number of the block that it was in.
  if (steps.some(({ state, block }) => state === 'sent' && block !== undefined))
    return t('The network dropped the block that it was in. It waits again.')
  if (step === undefined) return t('Its next step is being prepared.')
  if (step.rivals) return t('It was sent again for a higher fee. The network takes one of them only.')
  return step.state === 'sent' ? t('It waits for the network to take it.') : t('It is being sent.')
}

/** A day of a calendar (2026-11-22, or none), by its distance to `now` (milliseconds) at `timeZone`. */
export function dayTitle(day: string, now: number, timeZone: string, locale?: string): string {
  // What was damaged has no time.
  if (day === '') return t('Nobody knows when')
  const noon = new Date(`${day}T12:00:00Z`)
  const today = new Date(`${calendarAt(timeZone)(now)}T12:00:00Z`)
  const daysAgo = Math.round((today.getTime() - noon.getTime()) / 86_400_000)
  if (daysAgo === 0) return t('Today')
  if (daysAgo === 1) return t('Yesterday')
  const isThisYear = noon.getUTCFullYear() === today.getUTCFullYear()
  return noon.toLocaleDateString(locale, {
    timeZone: 'UTC',
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(!isThisYear && { year: 'numeric' }),
  })
}
