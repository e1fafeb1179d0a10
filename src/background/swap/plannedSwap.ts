import type { SwapApi } from '../../api/client.ts'
import type { Network, Settings } from '../../domain/network/network.ts'
import { getDirectContracts, getSwapSource } from '../../domain/network/swapSource.ts'
import { priceBelowMinReturn } from '../../domain/swap/belowMinReturn.ts'
import { computeMinReturn, type SwapTransaction } from '../../domain/swap/quote.ts'
import { knownRouters } from '../../domain/swap/routers.ts'
import type { Address } from '../../domain/token/token.ts'
import { toWalletError, WalletError } from '../../errors.ts'
import type { Chain } from '../../evm/client.ts'
import type { ReviewRequest } from '../../protocol.ts'
import { type ApprovalPlan, planApprovals } from './approvalPlan.ts'
import { type BuildRequest, buildSwap, toBuildRequest } from './requestTransaction.ts'
import { readRouterBinding, requireKnownRouter } from './verifyRouter.ts'

/** A requested swap, unverified, with the approvals for its router. */
export type PlannedSwap = {
  router: Address
  isBindingRouter: boolean
  way: ApprovalPlan
  transaction: SwapTransaction
  floor: bigint
  /** Requested again with a higher minReturn. */
  isRaised?: boolean
}

type Deps = {
  network: Network
  settings: Pick<Settings, 'accessLists'>
  api: SwapApi
  chain: Chain
  /** By the token list. */
  hasPermit: boolean
  /** Router of the service's last review. */
  lastRouter?: Address | undefined
}

/**
 * Requests a swap while planning the approvals for the router that it is expected to name. Throws
 * `unknown-router`, `not-enough-balance`, `below-floor`. `minReturn` overrides the slippage.
 */
export async function planSwap(deps: Deps, ask: ReviewRequest, minReturn?: bigint): Promise<PlannedSwap> {
  const { network, settings, api, chain, hasPermit, lastRouter } = deps
  const { trade, slippageBps, atLeast = 0n, permission } = ask

  async function planFor(router: Address) {
    const [way, isBindingRouter] = await Promise.all([
      planApprovals(chain, api, { ...ask, router, hasPermit }),
      readRouterBinding(chain, router, trade.chainId),
    ])
    return { router, way, isBindingRouter }
  }

  const own = pinnedRouter(network, ask)
  const expected = own ?? expectedRouter(network, lastRouter) ?? (await readKnownRouter(api, network))
  const expectedPlan = quietly(planFor(expected))
  // Only Permit2 changes the request.
  const chosen = permission?.via === 'permit2' ? (await expectedPlan).way : {}
  const build = toBuildRequest(ask, chosen, network, settings)
  const built = await buildFloor(api, build, slippageBps, atLeast, minReturn).catch((error: unknown) =>
    failWith(error, expectedPlan),
  )
  const router = own ?? (await routerOf(built.transaction, deps))
  return { ...(await (router === expected ? expectedPlan : planFor(router))), ...built }
}

/** The router of direct swaps, or the service's that the user pinned. */
function pinnedRouter(network: Network, { options }: ReviewRequest): Address | undefined {
  const isDirect = getSwapSource(network, options?.source) === 'direct'
  return isDirect ? getDirectContracts(network)?.router : network.router
}

function expectedRouter({ chainId }: Network, last: Address | undefined): Address | undefined {
  const known = knownRouters(chainId)
  return known.find((one) => one === last) ?? known[0]
}

/** Verification requires it to be the swap's target. Only an unknown target is asked about. */
async function routerOf({ to }: SwapTransaction, { api, network }: Deps): Promise<Address> {
  return knownRouters(network.chainId).includes(to) ? to : readKnownRouter(api, network)
}

async function readKnownRouter(api: Pick<SwapApi, 'spender'>, network: Network): Promise<Address> {
  const router = await api.spender()
  requireKnownRouter(router, network)
  return router
}

/** The missing balance explains most refusals. */
async function failWith(error: unknown, planned: Promise<unknown>): Promise<never> {
  const own = await planned.then(() => undefined, toWalletError)
  throw own?.code === 'not-enough-balance' ? own : error
}

/** Prevents a rejection from counting as unhandled until it is awaited. */
function quietly<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined)
  return work
}

/** `minReturn`, else at least `atLeast`. */
async function buildFloor(
  api: SwapApi,
  ask: BuildRequest,
  slippageBps: number,
  atLeast: bigint,
  minReturn?: bigint,
): Promise<Pick<PlannedSwap, 'transaction' | 'floor' | 'isRaised'>> {
  if (minReturn !== undefined) return buildAt(api, ask, minReturn)
  const usual = await buildSwap(api, ask, { slippageBps })
  checkReturns(usual, atLeast)
  const floor = computeMinReturn(usual.returns, slippageBps)
  if (floor === 0n) {
    throw new WalletError('invalid-input', 'The amount is too small: it would buy nothing.')
  }
  // The price may move in between.
  if (floor >= atLeast) return { transaction: usual, floor }
  return { ...(await buildAt(api, ask, atLeast)), isRaised: true }
}

async function buildAt(
  api: SwapApi,
  ask: BuildRequest,
  minReturn: bigint,
): Promise<Pick<PlannedSwap, 'transaction' | 'floor'>> {
  const transaction = await buildSwap(api, ask, { leastReturn: minReturn })
  checkReturns(transaction, minReturn)
  return { transaction, floor: minReturn }
}

function checkReturns({ returns }: SwapTransaction, atLeast: bigint): void {
  if (returns < atLeast) throw priceBelowMinReturn('The swap would return', returns, atLeast, 'asked for')
}
