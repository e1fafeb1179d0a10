import type { SwapApi, SwapOptions } from '../../api/client.ts'
import type { Network, Settings } from '../../domain/network/network.ts'
import type { SwapTransaction } from '../../domain/swap/quote.ts'
import type { SwapIntent, SwapTerms } from '../../domain/swap/swap.ts'
import { type Hex, isNative } from '../../domain/token/token.ts'
import { toWalletError } from '../../errors.ts'
import type { ApprovalPlan } from './approvalPlan.ts'

/** Minimum relative to the current quote, or absolute. */
export type MinReturn = { slippageBps: number } | { leastReturn: bigint }

export type BuildRequest = Pick<SwapIntent, 'account' | 'trade'> &
  Pick<SwapTerms, 'options' | 'receiver' | 'allowPartialFill'> & {
    usePermit2?: boolean
    /** Without the selector. */
    permit?: Hex | undefined
    accessList?: boolean
  }

export function toBuildRequest(
  terms: BuildRequest,
  { permission }: Pick<ApprovalPlan, 'permission'>,
  { rollup }: Pick<Network, 'rollup'>,
  { accessLists }: Pick<Settings, 'accessLists'>,
): BuildRequest {
  return {
    ...terms,
    usePermit2: permission?.via === 'permit2',
    // On rollups the L1 fee exceeds the savings.
    accessList: accessLists && rollup === undefined,
  }
}

/**
 * Requests the swap at the general entry point (`compatibility`), simulated as if approved to include token
 * taxes, if possible.
 */
export async function buildSwap(api: SwapApi, ask: BuildRequest, floor: MinReturn): Promise<SwapTransaction> {
  const { account, trade, options, receiver, allowPartialFill, usePermit2, permit, accessList } = ask
  const asked: SwapOptions = {
    ...options,
    from: account,
    origin: account,
    compatibility: true,
    ...(receiver !== undefined && { receiver }),
    ...(allowPartialFill && { allowPartialFill }),
    ...(usePermit2 && { usePermit2 }),
    ...(permit !== undefined && { permit }),
    ...(accessList && { createAccessList: true }),
    ...floor,
  }
  if (isNative(trade.sell)) return api.swap(trade, asked)
  try {
    return await api.swap(trade, { ...asked, forceApprove: true })
  } catch (error) {
    if (toWalletError(error).facts.serviceCode !== 'FORCE_APPROVE_NOT_SUPPORTED') throw error
    return api.swap(trade, { ...asked, disableEstimate: true })
  }
}
