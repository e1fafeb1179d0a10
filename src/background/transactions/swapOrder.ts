import { hasOutcome, type Intent, isSwapIntent } from '../../domain/activity/intent.ts'
import type { SwapIntent } from '../../domain/swap/swap.ts'
import { wrapKind } from '../../domain/swap/wrap.ts'
import { isNative } from '../../domain/token/token.ts'
import { isSigned } from './journal.ts'
import type { IntentRecord } from './schemas.ts'

/**
 * True if another swap of the token goes first, as an allowance or permit nonce serves one swap. Signed ones
 * precede older ones; checked again when signing.
 */
export function hasEarlierSwap(record: IntentRecord, records: IntentRecord[]): boolean {
  const { intent, createdAt } = record
  if (!needsAllowance(intent)) return false
  const { id, account, trade } = intent
  const hasSigned = record.steps.some(isSigned)
  return records.some(
    (one) =>
      !hasOutcome(one) &&
      needsAllowance(one.intent) &&
      one.intent.account === account &&
      one.intent.trade.chainId === trade.chainId &&
      one.intent.trade.sell === trade.sell &&
      one.intent.id !== id &&
      (one.steps.some(isSigned) === hasSigned
        ? one.createdAt < createdAt || (one.createdAt === createdAt && one.intent.id < id)
        : !hasSigned),
  )
}

/** Native tokens and wraps need none. */
function needsAllowance(intent: Intent): intent is SwapIntent {
  return (
    isSwapIntent(intent) &&
    !isNative(intent.trade.sell) &&
    wrapKind(intent.trade, intent.router) === undefined
  )
}
