import type { SwapApi, SwapOptions } from '../api/api.ts'
import { type Address, isNative } from '../domain/token.ts'
import type { SwapTransaction, Trade } from '../domain/trade.ts'
import { toWalletError } from '../errors.ts'

/** The floor as a share of what the service finds now, or as the number that was accepted. */
export type Floor = { slippageBps: number } | { leastReturn: bigint }

/**
 * The swap as the service would build it now, through its general entry point (`compatibility`). It is simulated
 * there as if the approval were in place, so that what taxed tokens lose on the way is in the promise before anybody pays
 * for an approval. Where a token's allowance cannot be assumed, the service promises its arithmetic, unsimulated.
 */
export async function buildSwap(
  api: SwapApi,
  from: Address,
  trade: Trade,
  floor: Floor,
): Promise<SwapTransaction> {
  const options: SwapOptions = { from, origin: from, compatibility: true, ...floor }
  if (isNative(trade.sell)) return api.swap(trade, options)
  try {
    return await api.swap(trade, { ...options, forceApprove: true })
  } catch (error) {
    if (toWalletError(error).facts.serviceCode !== 'FORCE_APPROVE_NOT_SUPPORTED') throw error
    return api.swap(trade, { ...options, disableEstimate: true })
  }
}
