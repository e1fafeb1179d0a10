import type { Swap, SwapIntent } from '../swap/swap.ts'
import type { CallBatch, CallsIntent } from './callBatch.ts'

export type Intent = SwapIntent | CallsIntent

export function isSwapIntent(intent: Intent): intent is SwapIntent {
  return 'trade' in intent
}

export function isSwap(one: Swap | CallBatch): one is Swap {
  return isSwapIntent(one.intent)
}

export function isCallBatch(one: Swap | CallBatch): one is CallBatch {
  return !isSwap(one)
}

export function getChainId(intent: Intent): number {
  return isSwapIntent(intent) ? intent.trade.chainId : intent.chainId
}

/** True when nothing remains to do, barring a reorg. */
export function hasOutcome({ outcome }: Pick<Swap | CallBatch, 'outcome'>): boolean {
  return outcome.status === 'done' || outcome.status === 'below-minimum' || outcome.status === 'failed'
}
