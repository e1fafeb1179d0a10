import {
  type Activity,
  type ActivityKind,
  type ActivityState,
  activityAmounts,
  activityKind,
  activityState,
  isCancelling,
  isUnknown,
  isUnreadable,
  mayComeBack,
  waitingStep,
} from '../../domain/activity/activity.ts'
import { type ActivityEntry, isIncoming } from '../../domain/activity/incoming.ts'
import { isSwap } from '../../domain/activity/intent.ts'
import { calendarAt } from '../../domain/calendar.ts'
import type { Address } from '../../domain/token/token.ts'
import { defineMessage, t } from '../../i18n/translate.ts'
import type { IconName } from '../components/Icon.tsx'
import { shortOrigin } from '../format/origin.ts'

export const activityKindNames: Record<ActivityKind, string> = {
  swap: defineMessage('Swap'),
  wrap: defineMessage('Wrap or unwrap'),
  send: defineMessage('Send'),
  receive: defineMessage('Receive'),
  revoke: defineMessage('Revoke approval'),
  call: defineMessage('Site request'),
}

export const activityStateNames: Record<ActivityState, string> = {
  waiting: defineMessage('Pending'),
  done: defineMessage('Confirmed'),
  'below-minimum': defineMessage('Below minimum'),
  failed: defineMessage('Failed'),
  cancelled: defineMessage('Cancelled'),
}

export const activityStateIcons: Record<ActivityState, IconName> = {
  waiting: 'clock',
  done: 'check',
  'below-minimum': 'warn',
  failed: 'warn',
  cancelled: 'close',
}

export function statusLabel(entry: ActivityEntry): string {
  if (isIncoming(entry)) return t(activityStateNames.done)
  const { outcome } = entry
  if (outcome.status === 'needs-unlock') return t('Action required')
  // Before `isUnknown`: it may still be mined.
  if (outcome.status === 'failed' && outcome.code === 'dropped') return t('Dropped')
  if (isUnknown(entry)) return t('Status unknown')
  if (outcome.status === 'done' && outcome.isLeast) return t('Confirmed, amount received unknown')
  return t(activityStateNames[activityState(entry)])
}

/** True if the status need not be told: confirmed, with known amounts. */
export function isPlain(entry: ActivityEntry): boolean {
  return isIncoming(entry) || (entry.outcome.status === 'done' && !entry.outcome.isLeast)
}

/** Labels the amounts. A dropped transaction may still be mined. */
export function amountLabels(entry: Activity): { out: string; in: string } {
  const { outcome } = entry
  if (outcome.status === 'done') return { out: t('Sent'), in: receivedWord(entry, outcome.isLeast) }
  if (outcome.status === 'below-minimum') return { out: t('Sent'), in: receivedWord(entry) }
  if (outcome.status === 'failed' && outcome.code !== 'dropped' && !mayComeBack(entry))
    return { out: t('Not sent'), in: t('Not received (min)') }
  return { out: isSwap(entry) ? t('You sell') : t('You send'), in: t('You receive (min)') }
}

function receivedWord(entry: Activity, isLeast = false): string {
  if (isLeast) return t('Minimum (actual amount unknown)')
  return isForOther(entry) ? t('Recipient received') : t('Received')
}

/** True if another account receives the output. */
export function isForOther({ intent }: Activity): boolean {
  return 'receiver' in intent && intent.receiver !== undefined && intent.receiver !== intent.account
}

/** Returns a title such as "Swapped ETH → USDC". */
export function activityTitle(entry: ActivityEntry, symbolOf: (token: Address) => string): string {
  if (isUnreadable(entry)) return t('Corrupted entry')
  const { out, in: into } = activityAmounts(entry)
  const isDone = !isIncoming(entry) && entry.outcome.status === 'done'
  if (out !== undefined && into !== undefined) {
    const pair = { sold: symbolOf(out.token), bought: symbolOf(into.token) }
    const isWrap = activityKind(entry) === 'wrap'
    if (isDone) return isWrap ? t('Converted {sold} → {bought}', pair) : t('Swapped {sold} → {bought}', pair)
    return isWrap ? t('Convert {sold} → {bought}', pair) : t('Swap {sold} → {bought}', pair)
  }
  if (isIncoming(entry)) return t('Received {symbol}', { symbol: symbolOf(entry.token) })
  if (isSwap(entry)) return t(activityKindNames[activityKind(entry)])
  const { purpose, origin } = entry.intent
  if (purpose !== undefined) {
    const symbol = symbolOf(purpose.token)
    if (purpose.kind === 'transfer')
      return isDone ? t('Sent {symbol}', { symbol }) : t('Send {symbol}', { symbol })
    return isDone ? t('Revoked {symbol} approval', { symbol }) : t('Revoke {symbol} approval', { symbol })
  }
  return origin === undefined ? t('Transaction') : t('Request from {site}', { site: shortOrigin(origin) })
}

/** Returns the status. Undefined if mined, or failed, which the error explains. */
export function statusText(entry: Activity): string | undefined {
  const { outcome, steps } = entry
  const told = steps.find(({ state }) => state === 'reverted' || state === 'cancelled') ?? steps.at(-1)
  if (told?.isDoubted)
    return t('Only one of your two RPCs reports this so far. Check both in the network settings.')
  if (activityState(entry) === 'cancelled') {
    return steps.some(({ state }) => state === 'mined' || state === 'final')
      ? t('You cancelled the rest. Steps already confirmed still apply.')
      : t('You cancelled this before it went through.')
  }
  if (outcome.status === 'failed')
    return mayComeBack(entry) ? t('It may still go through. Check again in 10 minutes.') : undefined
  if (outcome.status === 'needs-unlock') return t('Unlock the wallet to sign the next step.')
  if (outcome.status === 'done' && outcome.isLeast)
    return t('The amount received couldn’t be read. Check your balance.')
  // Finality is told by the steps.
  if (outcome.status === 'done' || outcome.status === 'below-minimum') return undefined
  if (outcome.waitsForTurn) return t('Queued behind an earlier swap of this token')
  const step = waitingStep(entry)
  if (step && isCancelling(step)) return t('Cancellation sent. Whichever transaction confirms first counts.')
  // A step that lost its block in a reorg keeps its number.
  if (steps.some(({ state, block }) => state === 'sent' && block !== undefined))
    return t('The network dropped the block it was in. Waiting for it to be included again.')
  if (step === undefined) return t('Preparing the next step…')
  if (step.rivals) return t('Resent with a higher fee. Only one of them can go through.')
  return step.state === 'sent' ? t('Waiting for network confirmation') : t('Sending to the network…')
}

/** Formats a calendar day (2026-11-22, or empty). `now` is in milliseconds. */
export function dayTitle(day: string, now: number, timeZone: string, locale?: string): string {
  // Corrupted entries have no time.
  if (day === '') return t('Unknown date')
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
