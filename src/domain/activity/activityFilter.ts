import type { Address } from '../token/token.ts'
import {
  type Activity,
  type ActivityKind,
  type ActivityState,
  activityKind,
  activityState,
} from './activity.ts'
import { getChainId } from './intent.ts'
import { isUnreadable } from './isUnknown.ts'

export type ActivityFilter = {
  account?: Address | undefined
  chainId?: number | undefined
  kind?: ActivityKind | undefined
  state?: ActivityState | undefined
}

export function matches(one: Activity, { account, chainId, kind, state }: ActivityFilter): boolean {
  // Matches every account and network.
  const isLost = isUnreadable(one)
  return (
    (isLost || account === undefined || one.intent.account === account) &&
    (isLost || chainId === undefined || getChainId(one.intent) === chainId) &&
    (kind === undefined || activityKind(one) === kind) &&
    (state === undefined || activityState(one) === state)
  )
}
