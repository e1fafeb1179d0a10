import type { SwapApi, SwapOptions } from '../../api/client.ts'
import type { Network, Settings } from '../../domain/network/network.ts'
import type { SwapTransaction } from '../../domain/swap/quote.ts'
import type { SwapIntent, SwapTerms } from '../../domain/swap/swap.ts'
import { type Hex, isNative } from '../../domain/token/token.ts'
import { toWalletError } from '../../errors.ts'
import type { ApprovalPlan } from './approvalPlan.ts'

/** The floor as a share of what the service finds now, or as the number that was accepted. */
export type MinReturn = { slippageBps: number } | { leastReturn: bigint }

export type BuildRequest = Pick<SwapIntent, 'account' | 'trade'> &
  Pick<SwapTerms, 'options' | 'receiver' | 'allowPartialFill'> & {
    /** The router takes it through Permit2. */
    usePermit2?: boolean
    /** Its words, without the selector. */
    permit?: Hex | undefined
    /** An access list is answered along. */
    accessList?: boolean
  }

/** What a swap on this way is asked for with, by what the user chose for it and for all. */
export function toBuildRequest(
  terms: BuildRequest,
  { permission }: Pick<ApprovalPlan, 'permission'>,
  { rollup }: Pick<Network, 'rollup'>,
  { accessLists }: Pick<Settings, 'accessLists'>,
): BuildRequest {
  return {
    ...terms,
    usePermit2: permission?.via === 'permit2',
    // What it saves there is little to what it costs to write to L1.
    accessList: accessLists && rollup === undefined,
  }
}

/**
 * The swap as the service would build it now, through its general entry point (`compatibility`). It is simulated
 * there as if the approval were in place, so that what taxed tokens lose on the way is in the promise before anybody pays
 * for an approval. Where a token's allowance cannot be assumed, the service promises its arithmetic, unsimulated.
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
