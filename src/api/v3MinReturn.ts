import { priceBelowMinReturn } from '../domain/swap/belowMinReturn.ts'
import type { SwapTransaction } from '../domain/swap/quote.ts'
import { formatExact } from '../domain/token/amount.ts'

const whole = 1_000_000n
const maxSlippage = whole / 2n
const tries = 3

/**
 * Requests the largest slippage that leaves `least` of `returns`, and retries if the swap returns less than
 * quoted. Throws `below-floor`.
 */
export async function swapWithMinReturn(
  least: bigint,
  returns: bigint,
  ask: (slippage: string) => Promise<SwapTransaction>,
): Promise<SwapTransaction> {
  let returned = returns
  for (let tried = 0; tried < tries && returned >= least; tried++) {
    const slippage = slippageFor(least, returned)
    const swap = await ask(formatExact(slippage, 4))
    if ((swap.returns * (whole - slippage)) / whole >= least) return swap
    returned = swap.returns
  }
  throw priceBelowMinReturn('The swap would return', returned, least, 'asked for')
}

/** Millionths: four decimals of a percent. */
function slippageFor(least: bigint, returns: bigint): bigint {
  const slippage = whole - (least * whole + returns - 1n) / returns
  return slippage < maxSlippage ? slippage : maxSlippage
}
