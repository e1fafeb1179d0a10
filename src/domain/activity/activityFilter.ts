import type { Address } from '../token/token.ts'
import {
  type ActivityKind,
  type ActivityState,
  activityKind,
  activityState,
  isUnknown,
  isUnreadable,
} from './activity.ts'
import { type ActivityEntry, getEntryAccount, getEntryChainId, isIncoming } from './incoming.ts'

export type ActivityFilter = {
  account?: Address | undefined
  chainId?: number | undefined
  kind?: ActivityKind | undefined
  state?: ActivityState | undefined
}

export function matches(one: ActivityEntry, { account, chainId, kind, state }: ActivityFilter): boolean {
  // Matches every account and network.
  const isLost = isUnreadable(one)
  return (
    (isLost || account === undefined || getEntryAccount(one) === account) &&
    (isLost || chainId === undefined || getEntryChainId(one) === chainId) &&
    (kind === undefined || activityKind(one) === kind) &&
    (state === undefined || activityState(one) === state)
  )
}

const most = 3

/** Returns the newest few. Damaged records stay first, so only one is kept. */
export function selectNewest(entries: readonly ActivityEntry[], filter: ActivityFilter): ActivityEntry[] {
  const found = entries.filter((one) => matches(one, filter))
  return found.filter((one, index) => index === 0 || isIncoming(one) || !isUnknown(one)).slice(0, most)
}
