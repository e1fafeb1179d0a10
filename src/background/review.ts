import type { SwapApi } from '../api/api.ts'
import type { Chain } from '../chain/client.ts'
import type { Review, StepKind } from '../domain/swap.ts'
import { type Address, isNative } from '../domain/token.ts'
import { leastReturn, type SwapTransaction, type Trade } from '../domain/trade.ts'
import { WalletError } from '../errors.ts'
import { buildSwap } from './build.ts'
import { approval, checkApproval, checkRouter, checkSwap } from './check.ts'
import { approvalGas, checkCoin, feeCap, gasLimit } from './fees.ts'
import { planSteps } from './plan.ts'

/**
 * Everything the review screen shows of `trade` for `account`, read from the transaction that the service would have signed and
 * from the user's own node. `pinned` is the only router that will do, when the user set one; `atLeast` lifts the floor to a
 * number that was promised to somebody. Throws what stands in the way: `no-route`, `not-enough-balance`, `not-enough-gas` with
 * the numbers, `below-floor` when less than `atLeast` is to be had, and with `unsafe-transaction` when the service's answers
 * do not fit together.
 */
export async function makeReview(
  api: SwapApi,
  chain: Chain,
  account: Address,
  trade: Trade,
  slippageBps: number,
  pinned?: Address,
  atLeast = 0n,
): Promise<Review> {
  const [router] = await Promise.all([api.spender(), chain.verify()])
  if (pinned !== undefined) checkRouter(router, pinned)
  const { steps, coin } = await planSteps(chain, account, trade, router)
  const { transaction, floor } = await build(api, account, trade, slippageBps, atLeast)
  const promised = checkSwap(transaction, { account, trade, floor, router })
  if (steps.includes('approve')) {
    checkApproval(await api.approval(trade.sell, trade.amount), approval(trade.sell, router, trade.amount))
  }

  const gas = await estimate(chain, account, trade, router, steps, transaction)
  const { maxFeePerGas } = await chain.fees()
  const networkFee = gas * maxFeePerGas
  checkCoin(coin, isNative(trade.sell) ? trade.amount : 0n, networkFee)
  return {
    quote: { trade, returns: transaction.returns, gas: transaction.gas, route: transaction.route },
    floor: promised,
    router,
    steps,
    networkFee,
    feeCap: feeCap(networkFee),
  }
}

/** The swap with its floor: what the slippage leaves, or `atLeast` where that is more. */
async function build(
  api: SwapApi,
  account: Address,
  trade: Trade,
  slippageBps: number,
  atLeast: bigint,
): Promise<{ transaction: SwapTransaction; floor: bigint }> {
  const usual = await buildSwap(api, account, trade, { slippageBps })
  checkReturns(usual, atLeast)
  const floor = leastReturn(usual.returns, slippageBps)
  if (floor === 0n) {
    throw new WalletError(
      'invalid-input',
      'The amount is too small: nothing of what it buys could be promised.',
    )
  }
  if (floor >= atLeast) return { transaction: usual, floor }
  const raised = await buildSwap(api, account, trade, { leastReturn: atLeast })
  // The price may have moved between the two.
  checkReturns(raised, atLeast)
  return { transaction: raised, floor: atLeast }
}

function checkReturns({ returns }: SwapTransaction, atLeast: bigint): void {
  if (returns >= atLeast) return
  throw new WalletError(
    'below-floor',
    `The swap would return ${returns} base units now, less than the ${atLeast} that were asked for.`,
    { expected: atLeast.toString(), found: returns.toString() },
  )
}

/** The gas limits of all steps together. */
async function estimate(
  chain: Chain,
  from: Address,
  trade: Trade,
  router: Address,
  steps: StepKind[],
  { to, data, value, gas }: SwapTransaction,
): Promise<bigint> {
  const limits = steps.map(async (kind, index) => {
    // Only the first step meets the chain as it is now.
    const isNext = index === 0
    if (kind === 'swap')
      return gasLimit(gas, isNext ? await chain.estimateGas({ from, to, data, value }) : 0n)
    if (!isNext) return gasLimit(approvalGas)
    const call = approval(trade.sell, router, kind === 'reset' ? 0n : trade.amount)
    return gasLimit(await chain.estimateGas({ from, ...call }))
  })
  return (await Promise.all(limits)).reduce((sum, limit) => sum + limit)
}
