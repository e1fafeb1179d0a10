import type { AccessList } from 'viem'
import { ServiceError } from '../errors.ts'
import { isBlockMissing, requireRpcError } from '../indexer/node.ts'
import type { Service } from '../service.ts'
import { nativeTokenAddress } from '../tokens/registry.ts'
import { buildSwap, swapDeadline } from './buildSwap.ts'
import type { Transaction } from './callForwarder.ts'
import { allowanceOverride } from './checkBalance.ts'
import { currentBlock, type Plan, plan, requireGasPrice, requireTrade } from './quote.ts'
import { resolveMinReturn, type SwapRequest } from './request.ts'
import { expectGas, untriedLimit } from './untriedGas.ts'
import { type SimulatedRoute, validateRoute } from './validateRoutes.ts'

export type Swap = SimulatedRoute & {
  transaction: Transaction
  accessList?: AccessList
  gasUsed?: bigint
}

/**
 * Returns the best route as a simulated transaction. Retries once at the latest block if the RPC lacks the
 * block, then throws NOT_READY.
 */
export async function swap(service: Service, request: SwapRequest): Promise<Swap> {
  try {
    return await swapNow(service, request)
  } catch (error) {
    if (!isBlockMissing(error)) throw error
  }
  await service.engine().refresh()
  try {
    return await swapNow(service, request)
  } catch (error) {
    if (!isBlockMissing(error)) throw error
    throw new ServiceError('NOT_READY', 'the node does not have the newest block', null, { cause: error })
  }
}

/** The order of checks is fixed, so errors are deterministic. */
async function swapNow(service: Service, request: SwapRequest): Promise<Swap> {
  await requireTrade(service, request)
  requireReferrer(request)
  requirePermitUse(request)
  const override = isForced(request) ? await allowanceOverride(service, request, currentBlock(service)) : []
  requireGasPrice(request, 1n)
  const first = await plan(service, request, 'NO_PROTOCOLS')
  const timed = { ...request, deadline: swapDeadline(service.config, first.block) }
  const tried = request.disableEstimate
    ? untried(request, first)
    : await validateRoute(service, timed, first, override)

  const least = resolveMinReturn(tried.wholeReturns, request.minReturnRule)
  if (tried.wholeReturns < least) throw insufficientReturn(tried.wholeReturns, least)
  const transaction = buildSwap(service.config, timed, tried.plan.route, least)
  return {
    ...tried,
    transaction,
    ...(request.createAccessList ? await access(service, transaction, tried) : {}),
  }
}

function requireReferrer({ feePpm, referrer }: SwapRequest): void {
  if (feePpm === 0 || (referrer !== undefined && BigInt(referrer) !== 0n)) return
  throw new ServiceError('FEE_WITHOUT_REFERRER', 'referrer is not set, it is required with a fee')
}

function requirePermitUse({ sell, permit }: SwapRequest): void {
  if (sell !== nativeTokenAddress || permit === undefined) return
  throw new ServiceError('PERMIT_NOT_ALLOWED_FOR_NATIVE', 'permit is not allowed when src is the native coin')
}

function isForced({ sell, forceApprove, disableEstimate }: SwapRequest): boolean {
  return forceApprove && !disableEstimate && sell !== nativeTokenAddress
}

function untried(request: SwapRequest, plan: Plan): SimulatedRoute {
  const { route } = plan
  const gas = untriedLimit(request, route)
  const { returns } = route
  return { plan, returns, wholeReturns: returns, gas, expectedGas: expectGas(request, route) }
}

function insufficientReturn(returns: bigint, least: bigint): ServiceError {
  const text = `insufficient return. Return: ${returns}. Minimum: ${least}.`
  return new ServiceError('INSUFFICIENT_RETURN', text, [
    { type: 'dstAmount', value: String(returns) },
    { type: 'minReturn', value: String(least) },
  ])
}

/** The access list at the plan's block; empty if the call fails. */
async function access({ node }: Service, transaction: Transaction, { plan, gas }: SimulatedRoute) {
  const { from: account, ...rest } = transaction
  const none = { accessList: [], gasUsed: gas }
  const created = await node
    .createAccessList({ account, ...rest, blockNumber: plan.block.number })
    .catch((error: unknown) => requireRpcError(error) ?? none)
  return created.accessList.length === 0 ? none : created
}
