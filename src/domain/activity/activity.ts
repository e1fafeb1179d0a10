import { calendarAt } from '../calendar.ts'
import type { Step, Swap } from '../swap/swap.ts'
import { type Address, type Hex, nativeTokenAddress, type Token } from '../token/token.ts'
import type { CallBatch } from './callBatch.ts'
import { type ActivityEntry, isIncoming } from './incoming.ts'
import { getChainId, isSwap } from './intent.ts'

/** Sent or attempted transactions of one intent. */
export type Activity = Swap | CallBatch

export type ActivityKind = 'swap' | 'wrap' | 'send' | 'receive' | 'revoke' | 'call'

export type ActivityState = 'waiting' | 'done' | 'below-minimum' | 'failed' | 'cancelled'

/** Returns `wrap` by the steps, `call` without a purpose. */
export function activityKind(one: ActivityEntry): ActivityKind {
  if (isIncoming(one)) return 'receive'
  if (isSwap(one)) return one.steps.some(({ kind }) => kind === 'wrap' || kind === 'unwrap') ? 'wrap' : 'swap'
  const { purpose } = one.intent
  if (purpose === undefined) return 'call'
  return purpose.kind === 'transfer' ? 'send' : 'revoke'
}

export function activityState(one: ActivityEntry): ActivityState {
  if (isIncoming(one)) return 'done'
  const { outcome } = one
  if (outcome.status === 'done' || outcome.status === 'below-minimum') return outcome.status
  if (outcome.status !== 'failed') return 'waiting'
  return outcome.code === 'cancelled' ? 'cancelled' : 'failed'
}

export type ActivityAmount = { token: Address; amount: bigint }

/** Returns actual amounts of a completed swap, otherwise the intended ones. */
export function activityAmounts(one: ActivityEntry): { out?: ActivityAmount; in?: ActivityAmount } {
  if (isIncoming(one)) return { in: { token: one.token, amount: one.amount } }
  if (isSwap(one)) {
    const { outcome, intent } = one
    const { sell, buy, amount } = intent.trade
    const brought = outcome.status === 'done' || outcome.status === 'below-minimum' ? outcome : undefined
    return {
      out: { token: sell, amount: brought?.spent ?? amount },
      in: { token: buy, amount: brought?.received ?? intent.floor },
    }
  }
  const { purpose, calls } = one.intent
  if (purpose?.kind === 'transfer') return { out: { token: purpose.token, amount: purpose.amount } }
  if (purpose?.kind === 'revoke') return {}
  const coins = calls.reduce((sum, { value }) => sum + value, 0n)
  return coins > 0n ? { out: { token: nativeTokenAddress, amount: coins } } : {}
}

export function activityTokens(one: ActivityEntry): Address[] {
  const moved = Object.values(activityAmounts(one)).map(({ token }) => token)
  if (isIncoming(one) || isSwap(one)) return moved
  const { purpose } = one.intent
  return purpose === undefined ? moved : [...moved, purpose.token]
}

/** Returns senders, recipients, revoked spenders and call targets. */
export function activityAddresses(one: ActivityEntry): Address[] {
  if (isIncoming(one)) return one.from === undefined ? [] : [one.from]
  if (isSwap(one)) return one.intent.receiver === undefined ? [] : [one.intent.receiver]
  const { purpose, calls } = one.intent
  if (purpose?.kind === 'transfer') return [purpose.to]
  if (purpose?.kind === 'revoke') return [purpose.spender]
  return calls.flatMap(({ to }) => to ?? [])
}

/** Returns all signed transactions, replaced ones included. */
export function transactionHashes(one: ActivityEntry): Hex[] {
  if (isIncoming(one)) return one.hash === undefined ? [] : [one.hash]
  return one.steps.flatMap(({ hash, rivals }) => rivals?.map((rival) => rival.hash) ?? hash ?? [])
}

/** Returns the pending step, which can be replaced. */
export function waitingStep({ steps }: Activity): Step | undefined {
  const signed = steps.findLast(({ state }) => state !== 'waiting')
  return signed?.state === 'sent' || signed?.state === 'signed' ? signed : undefined
}

/** Returns the maximum cost in wei, `feeCap` while a step is unsigned. */
export function maxFee({ steps, intent }: Activity): bigint {
  const isSigned = steps.every(({ fee }) => fee !== undefined)
  return isSigned ? steps.reduce((sum, { fee = 0n }) => sum + fee, 0n) : intent.feeCap
}

export function isCancelling({ rivals }: Step): boolean {
  return rivals?.at(-1)?.cancels === true
}

/** Null or undefined for an unknown token. */
export type GetName = (
  chainId: number,
  token: Address,
) => Pick<Token, 'symbol' | 'name' | 'decimals'> | null | undefined

/** True for a damaged record, whose outcome is unknown. */
export function isUnknown({ outcome }: Pick<Activity, 'outcome'>): boolean {
  return outcome.status === 'failed' && outcome.code === 'record-damaged'
}

/** True if account and network are lost too. */
export function isUnreadable(one: ActivityEntry): boolean {
  return !isIncoming(one) && isUnknown(one) && getChainId(one.intent) === 0
}

/** True if its nonce was taken in a block that is not final: after a reorg it is sent again. */
export function mayComeBack({ outcome, steps }: Pick<Activity, 'outcome' | 'steps'>): boolean {
  return outcome.status === 'failed' && steps.some(({ state, settled }) => state === 'replaced' && !settled)
}

/** Groups by calendar day (2026-11-22) in `timeZone` (IANA), in order; '' without a time. */
export function groupByDay(
  entries: readonly ActivityEntry[],
  timeZone: string,
): { day: string; entries: ActivityEntry[] }[] {
  const dayOf = calendarAt(timeZone)
  const days = new Map<string, ActivityEntry[]>()
  for (const one of entries) {
    const day = one.createdAt === 0 ? '' : dayOf(one.createdAt)
    days.set(day, [...(days.get(day) ?? []), one])
  }
  return [...days].map(([day, entries]) => ({ day, entries }))
}
