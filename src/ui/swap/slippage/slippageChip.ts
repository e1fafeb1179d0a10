import type { Settings } from '../../../domain/network/network.ts'
import { effectiveSlippage, type SwapFormState } from '../../../state/swap/swapForm.ts'

/** Returns why the user did not choose the slippage. */
export function slippageReason(
  form: SwapFormState,
  settings: Settings | undefined,
  allowedBps: number,
): 'auto' | 'limited' | undefined {
  if (allowedBps < effectiveSlippage(form, settings)) return 'limited'
  return isAuto(form, settings) ? 'auto' : undefined
}

export function isAuto({ slippageBps }: SwapFormState, settings: Settings | undefined): boolean {
  return (slippageBps ?? settings?.slippageBps ?? 'auto') === 'auto'
}
