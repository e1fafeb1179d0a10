import { type Intent, isFinal, isSwapIntent } from '../../domain/activity/intent.ts'
import type { SwapIntent } from '../../domain/swap/swap.ts'
import { wrapKind } from '../../domain/swap/wrap.ts'
import { isNative } from '../../domain/token/token.ts'
import { type IntentRecord, isSigned } from './journal.ts'

/**
 * True while an older swap that sells the same token is under way, or waits for the user: an exact allowance, and the number of a permit,
 * serve one swap alone, so they go one after the other. Whichever has signed anything is ahead: records of one millisecond have no older
 * one, and a page's may be stored late. That holds when it is asked again where signatures are made, one at a time.
 */
export function hasEarlierSwap(record: IntentRecord, records: IntentRecord[]): boolean {
  const { intent, createdAt } = record
  if (!needsAllowance(intent)) return false
  const { id, account, trade } = intent
  const hasSigned = record.steps.some(isSigned)
  return records.some(
    (one) =>
      !isFinal(one) &&
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

/** The coin, and what is only wrapped or unwrapped, is taken without anybody's leave. */
function needsAllowance(intent: Intent): intent is SwapIntent {
  return (
    isSwapIntent(intent) &&
    !isNative(intent.trade.sell) &&
    wrapKind(intent.trade, intent.router) === undefined
  )
}
