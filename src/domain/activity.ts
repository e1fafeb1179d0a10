import type { Sending } from './calls.ts'
import { chainIdOf, isSwap } from './intent.ts'
import type { Swap } from './swap.ts'
import { type Address, type Hex, native, type Token } from './token.ts'

/** Anything that the wallet sent, or tried to. */
export type Activity = Swap | Sending

export type ActivityKind = 'swap' | 'wrap' | 'send' | 'revoke' | 'call'

export type ActivityState = 'waiting' | 'done' | 'failed' | 'cancelled'

/** Wrapping and unwrapping are known by their steps. What no purpose names is whatever a page wanted. */
export function kindOf(one: Activity): ActivityKind {
  if (isSwap(one)) return one.steps.some(({ kind }) => kind === 'wrap' || kind === 'unwrap') ? 'wrap' : 'swap'
  const { purpose } = one.intent
  if (purpose === undefined) return 'call'
  return purpose.kind === 'transfer' ? 'send' : 'revoke'
}

export function stateOf({ outcome }: Activity): ActivityState {
  if (outcome.status === 'done') return 'done'
  if (outcome.status !== 'failed') return 'waiting'
  return outcome.code === 'cancelled' ? 'cancelled' : 'failed'
}

/** An amount of one token. */
export type Part = { token: Address; amount: bigint }

/** What went out and what came in, as far as the wallet knows: of what failed, what was to. */
export function partsOf(one: Activity): { out?: Part; in?: Part } {
  if (isSwap(one)) {
    const { outcome, intent } = one
    const { sell, buy, amount } = intent.trade
    const isDone = outcome.status === 'done'
    return {
      out: { token: sell, amount: (isDone ? outcome.spent : undefined) ?? amount },
      in: { token: buy, amount: isDone ? outcome.received : intent.floor },
    }
  }
  const { purpose, calls } = one.intent
  if (purpose?.kind === 'transfer') return { out: { token: purpose.token, amount: purpose.amount } }
  if (purpose?.kind === 'revoke') return {}
  const coins = calls.reduce((sum, { value }) => sum + value, 0n)
  return coins > 0n ? { out: { token: native, amount: coins } } : {}
}

/** Whom it went to, was taken from, or was sent to: everybody but the account and the tokens. */
export function partiesOf(one: Activity): Address[] {
  if (isSwap(one)) return one.intent.receiver === undefined ? [] : [one.intent.receiver]
  const { purpose, calls } = one.intent
  if (purpose?.kind === 'transfer') return [purpose.to]
  if (purpose?.kind === 'revoke') return [purpose.spender]
  return calls.flatMap(({ to }) => to ?? [])
}

/** Every transaction that was signed for it. */
export function hashesOf({ steps }: Activity): Hex[] {
  return steps.flatMap(({ hash, rivals }) => rivals?.map((rival) => rival.hash) ?? hash ?? [])
}

export type ActivityFilter = {
  account?: Address | undefined
  chainId?: number | undefined
  kind?: ActivityKind | undefined
  state?: ActivityState | undefined
}

export function matches(one: Activity, { account, chainId, kind, state }: ActivityFilter): boolean {
  return (
    (account === undefined || one.intent.account === account) &&
    (chainId === undefined || chainIdOf(one.intent) === chainId) &&
    (kind === undefined || kindOf(one) === kind) &&
    (state === undefined || stateOf(one) === state)
  )
}

/** Undefined for a token that nobody described. */
export type NameOf = (
  chainId: number,
  token: Address,
) => Pick<Token, 'symbol' | 'name' | 'decimals'> | undefined

/** The entries of one day, as a calendar at `timeZone` (IANA) has it: `day` is written 2026-11-22. In the order they came. */
export function groupByDay(
  entries: readonly Activity[],
  timeZone: string,
): { day: string; entries: Activity[] }[] {
  // The one locale that writes a date as ISO 8601 does.
  const calendar = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  const days = new Map<string, Activity[]>()
  for (const one of entries) {
    const day = calendar.format(one.createdAt)
    days.set(day, [...(days.get(day) ?? []), one])
  }
  return [...days].map(([day, entries]) => ({ day, entries }))
}
