import { computeMinReturn } from '../../../domain/swap/quote.ts'
import type { SwapIntent } from '../../../domain/swap/swap.ts'
import type { Plan } from '../../../state/swap/swapFlow.ts'

/** Repeats the swap with its accepted minimum. */
export function toPlan(intent: SwapIntent): Plan {
  const { floor, router: _r, feeCap: _c, shown: _s, id: _i, ...chosen } = intent
  const { acceptedLossBps: _l, acceptedCompanions: _a, ...plan } = chosen
  return { ...plan, atLeast: floor }
}

/** Drops the user's minimum, keeping the site's. Undefined if there is none to drop. */
export function atCurrentPrice({ atLeast, isAccepted: _, ...plan }: Plan): Plan | undefined {
  const floor = plan.request?.floor
  if (atLeast === undefined || atLeast === floor) return undefined
  return floor === undefined ? plan : { ...plan, atLeast: floor }
}

/**
 * Accepts `returns`: minimum by slippage, at least the site's. Undefined if the site wants more than
 * `returns`.
 */
export function acceptPrice({ atLeast: _, ...plan }: Plan, returns: bigint): AcceptingPlan | undefined {
  const { slippageBps, request: { floor = 0n } = {} } = plan
  let atLeast = computeMinReturn(returns, slippageBps)
  if (atLeast < floor) atLeast = floor
  return atLeast === 0n || atLeast > returns ? undefined : { ...plan, atLeast, isAccepted: true }
}

type AcceptingPlan = Plan & { atLeast: bigint }

/** True if the site's minimum exceeds `returns`, where known. */
export function isSiteMinimum({ atLeast, request }: Plan, returns: bigint | undefined): boolean {
  const { floor } = request ?? {}
  return floor !== undefined && (returns === undefined ? atLeast === floor : returns < floor)
}
