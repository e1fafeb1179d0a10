import { computeMinReturn } from '../../../domain/swap/quote.ts'
import type { SwapIntent } from '../../../domain/swap/swap.ts'
import type { Plan } from '../../../state/swap/swapFlow.ts'

/** The same swap once more, for a review that promises what was accepted. */
export function toPlan(intent: SwapIntent): Plan {
  const { floor, router: _r, feeCap: _c, shown: _s, id: _i, ...chosen } = intent
  const { acceptedLossBps: _l, acceptedCompanions: _a, ...plan } = chosen
  return { ...plan, atLeast: floor }
}

/**
 * The same review without the number that the user was shown, or typed to receive: by the slippage, and by what a page wants. Undefined
 * where no number of the user's stands in the way.
 */
export function atPriceOfNow({ atLeast, isAccepted: _, ...plan }: Plan): Plan | undefined {
  const floor = plan.request?.floor
  if (atLeast === undefined || atLeast === floor) return undefined
  return floor === undefined ? plan : { ...plan, atLeast: floor }
}

/**
 * Returns the plan whose minimum the slippage leaves of `returns`, the amount at the new price, or which is the site's where that is
 * more. Undefined where the site wants more than `returns`, or nothing is left.
 */
export function acceptPrice({ atLeast: _, ...plan }: Plan, returns: bigint): AcceptingPlan | undefined {
  const { slippageBps, request: { floor = 0n } = {} } = plan
  let atLeast = computeMinReturn(returns, slippageBps)
  if (atLeast < floor) atLeast = floor
  return atLeast === 0n || atLeast > returns ? undefined : { ...plan, atLeast, isAccepted: true }
}

type AcceptingPlan = Plan & { atLeast: bigint }

/** True when the site's minimum is above `returns`, the amount at the new price where it is known. */
export function isSiteMinimum({ atLeast, request }: Plan, returns: bigint | undefined): boolean {
  const { floor } = request ?? {}
  return floor !== undefined && (returns === undefined ? atLeast === floor : returns < floor)
}
