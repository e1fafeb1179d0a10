import type { SwapIntent } from '../../../domain/swap/swap.ts'
import type { Plan } from '../../../state/swap/swap.ts'

/** The same swap once more, for a review that promises what was accepted. */
export function planOf(intent: SwapIntent): Plan {
  const { floor, router: _r, feeCap: _c, shown: _s, id: _i, ...chosen } = intent
  const { acceptedLossBps: _l, acceptedCompanions: _a, ...plan } = chosen
  return { ...plan, atLeast: floor }
}

/**
 * The same review without the number that the user was shown, or typed to receive: by the slippage, and by what a page wants. Undefined
 * where no number of the user's stands in the way.
 */
export function atPriceOfNow({ atLeast, ...plan }: Plan): Plan | undefined {
  const floor = plan.request?.floor
  if (atLeast === undefined || atLeast === floor) return undefined
  return floor === undefined ? plan : { ...plan, atLeast: floor }
}
