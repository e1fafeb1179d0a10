import type { Settings } from '../../domain/network/network.ts'
import { effectiveSlippage, type SwapFormState } from '../../state/swap/swapForm.ts'

/** Why the slippage in the form is what it is, where nobody chose that number: it fits the pair, or the page allows no more. */
export function slippageReason(
  form: SwapFormState,
  settings: Settings | undefined,
  allowedBps: number,
): 'auto' | 'limited' | undefined {
  if (allowedBps < effectiveSlippage(form, settings)) return 'limited'
  return isAuto(form, settings) ? 'auto' : undefined
}

/** Nobody named a number. */
export function isAuto({ slippageBps }: SwapFormState, settings: Settings | undefined): boolean {
  return (slippageBps ?? settings?.slippageBps ?? 'auto') === 'auto'
}
