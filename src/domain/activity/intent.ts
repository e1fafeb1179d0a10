import type { Swap, SwapIntent } from '../swap/swap.ts'
import type { CallsIntent, Sending } from './callBatch.ts'

/** What the user accepted, of either kind: the journal carries both the same way. */
export type Intent = SwapIntent | CallsIntent

export function isSwapIntent(intent: Intent): intent is SwapIntent {
  return 'trade' in intent
}

export function isSwap(one: Swap | Sending): one is Swap {
  return isSwapIntent(one.intent)
}

export function isSending(one: Swap | Sending): one is Sending {
  return !isSwap(one)
}

export function chainIdOf(intent: Intent): number {
  return isSwapIntent(intent) ? intent.trade.chainId : intent.chainId
}

/** Nothing is left to be done, unless the chain takes a block back. */
export function isOver({ outcome }: Pick<Swap | Sending, 'outcome'>): boolean {
  return outcome.status === 'done' || outcome.status === 'below-minimum' || outcome.status === 'failed'
}
