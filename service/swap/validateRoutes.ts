import type { StateOverride } from 'viem'
import type { Address } from '../config.ts'
import { ServiceError } from '../errors.ts'
import { lateGas } from '../routing/gasParts.ts'
import type { Service } from '../service.ts'
import { nativeTokenAddress } from '../tokens/registry.ts'
import { buildSwap, type TimedRequest } from './buildSwap.ts'
import { findShortfall } from './checkBalance.ts'
import { currentBlock, estimateGas, findPlan, type Plan, plan } from './quote.ts'
import { resolveMinReturn, type SwapRequest } from './request.ts'
import { isCallersOwn, revertReason } from './revertReason.ts'
import { isRounding, type SimulationResult, simulateSwap } from './simulate.ts'
import { findTaxedToken, holderOf } from './taxedToken.ts'

export type SimulatedRoute = {
  plan: Plan
  returns: bigint
  /** Scaled up if a branch failed; compared with minReturn. */
  wholeReturns: bigint
  /** Limit to send with. */
  gas: bigint
  /** Gas that the swap is expected to use. */
  expectedGas: bigint
}

/**
 * Simulates `first`. If it returns less than quoted, also simulates a plan through other pools and uses the
 * better one; not if other pools would not help (accepted fee on transfer, caller's error), or for a fixed
 * minReturn, which demands that rate. If it takes more gas than the limit, also simulates a shorter route.
 */
export async function validateRoute(
  service: Service,
  request: TimedRequest,
  first: Plan,
  override: StateOverride,
): Promise<SimulatedRoute> {
  const funded = await requireFunds(service, request, first)
  const tried = await tryPlan(service, request, funded, override)
  if (isFinal(tried, request)) return judge(request, await fitGas(service, request, tried, override))

  const suspects = await findSuspects(service, request, tried, override)
  const second = await planAround(service, request, funded, suspects)
  if (second === undefined) return judge(request, tried)
  const other = await tryPlan(service, request, second, override)
  return judge(request, better(tried, other, request))
}

type Tried = { plan: Plan; outcome: SimulationResult; taxed?: Address }

async function tryPlan(
  service: Service,
  request: TimedRequest,
  plan: Plan,
  override: StateOverride,
): Promise<Tried> {
  const outcome = await rehearsePlan(service, request, plan, override)
  if (keepsPromise({ plan, outcome })) return { plan, outcome }
  const taxed = await findTaxedToken(service, request, plan, override)
  return taxed === undefined ? { plan, outcome } : { plan, outcome, taxed }
}

function isFinal(tried: Tried, { minReturnRule: floor, from, compatibility }: SwapRequest): boolean {
  const { outcome, taxed } = tried
  if (keepsPromise(tried) || 'minReturn' in floor) return true
  if (outcome.status === 'reverted' && taxed === undefined) return isCallersOwn(outcome.data, from)
  return taxed !== undefined && compatibility && outcome.status === 'done'
}

function better(one: Tried, other: Tried, request: SwapRequest): Tried {
  const rank = (tried: Tried) => [fault(request, tried) === undefined ? 1n : 0n, arrived(tried)] as const
  const [[oneStands, onePays], [otherStands, otherPays]] = [rank(one), rank(other)]
  if (oneStands !== otherStands) return oneStands > otherStands ? one : other
  return otherPays > onePays ? other : one
}

/** Estimates are too low for pools that were never swapped: keeps a route of a lower one if that fits. */
async function fitGas(
  service: Service,
  request: TimedRequest,
  tried: Tried,
  override: StateOverride,
): Promise<Tried> {
  const most = request.gasLimit + permissionGas(request)
  if (tried.outcome.status !== 'done' || tried.outcome.gasUsed <= most) return tried
  const limited = { ...request, gasLimit: estimateGas(request, tried.plan.route) - 1n }
  const shorter = await findPlan(service, limited, 'NO_PROTOCOLS', new Set())
  if (shorter === undefined) return tried
  const other = await tryPlan(service, request, shorter, override)
  const { outcome } = other
  if (outcome.status !== 'done' || outcome.gasUsed > most || fault(request, other) !== undefined) return tried
  const whole = scaleUp(outcome, request)
  return whole < resolveMinReturn(whole, request.minReturnRule) ? tried : other
}

/** Replans at a fresh block if funds are short: a recent approval may be in it. */
async function requireFunds(service: Service, request: SwapRequest, first: Plan): Promise<Plan> {
  const known = await findShortfall(service, request, first.block)
  if (known === undefined) return first
  await service
    .engine()
    .refresh()
    .catch(() => {
      throw known
    })
  const fresh = await plan(service, request, 'NO_PROTOCOLS')
  const shortfall = await findShortfall(service, request, fresh.block)
  if (shortfall !== undefined) throw shortfall
  return fresh
}

/**
 * Returns the pools that paid less than quoted, found after a revert by simulating independent branches; else
 * all.
 */
async function findSuspects(
  service: Service,
  request: TimedRequest,
  { plan: { route }, plan, outcome }: Tried,
  override: StateOverride,
): Promise<ReadonlySet<Address>> {
  const told = outcome.status === 'done' ? findUnpaid(plan, outcome) : await probe()
  return new Set(told.length > 0 ? told : route.edges.map(({ pool }) => pool.address))

  async function probe(): Promise<Address[]> {
    const loose = { ...request, allowPartialFill: true }
    const apart = await findPlan(service, loose, 'NO_PROTOCOLS', new Set())
    if (apart === undefined) return []
    const partly = await rehearsePlan(service, loose, apart, override)
    return partly.status === 'done' ? findUnpaid(apart, partly) : []
  }
}

function findUnpaid({ route }: Plan, { paid }: Done): Address[] {
  const unpaid = route.edges.filter(({ pool, to, bought }) => {
    const token = route.tokens[to]
    const holder = holderOf(pool)
    const isPayment = (payment: Done['paid'][number]) =>
      payment.token === token && payment.from === holder && payment.amount === bought
    return token !== nativeTokenAddress && !paid.some(isPayment)
  })
  return unpaid.map(({ pool }) => pool.address)
}

/** Plans without `suspects`, or with the same pools at a new block. Undefined if that cannot be read. */
async function planAround(
  service: Service,
  request: SwapRequest,
  failed: Plan,
  suspects: ReadonlySet<Address>,
): Promise<Plan | undefined> {
  const isFresh = await service
    .engine()
    .refresh()
    .then(
      () => true,
      () => false,
    )
  if (!isFresh) return undefined
  const around = await findPlan(service, request, 'NO_PROTOCOLS', suspects)
  if (around !== undefined || currentBlock(service).hash === failed.block.hash) return around
  return findPlan(service, request, 'NO_PROTOCOLS', new Set())
}

/** No minReturn: a shortfall is then a number, not a revert. */
function rehearsePlan(
  service: Service,
  request: TimedRequest,
  tried: Plan,
  override: StateOverride,
): Promise<SimulationResult> {
  const transaction = buildSwap(service.config, request, tried.route, 0n)
  return simulateSwap(service.node, transaction, request.origin, tried.block, override)
}

/**
 * True if the quoted return arrives, up to rounding, and up to what pools drift: the simulation is later than
 * the block. More would mean that pool states were wrong.
 */
function keepsPromise({ plan, outcome }: Tried): boolean {
  if (outcome.status !== 'done') return false
  const { returns, edges } = plan.route
  const missing = returns - outcome.received
  if (missing >= 0n && isRounding(missing, returns)) return true
  const off = missing < 0n ? -missing : missing
  const drift = edges.reduce((sum, { pool }) => sum + (pool.drift ?? 0n), 0n)
  return drift > 0n && (off <= 2n || off * 10_000_000n <= returns * drift)
}

function arrived({ outcome }: Tried): bigint {
  return outcome.status === 'done' ? outcome.received : 0n
}

function judge(request: SwapRequest, tried: Tried): SimulatedRoute {
  const { plan, outcome } = tried
  const refusal = fault(request, tried)
  if (refusal !== undefined || outcome.status !== 'done') throw refusal
  const wholeReturns = scaleUp(outcome, request)
  return {
    plan,
    returns: outcome.received,
    wholeReturns,
    gas: gasLimit(outcome.gasUsed + lateGas(plan.route)),
    expectedGas: outcome.gasUsed,
  }
}

/** With accepted fees on transfer, the simulated return counts. */
function fault(request: SwapRequest, { plan, outcome, taxed }: Tried): ServiceError | undefined {
  if (taxed !== undefined && !request.compatibility) return taxedToken(taxed)
  if (outcome.status === 'reverted') {
    return new ServiceError('ESTIMATION_FAILED', `cannot estimate: ${revertReason(outcome.data)}`)
  }
  if (taxed !== undefined || 'minReturn' in request.minReturnRule) return undefined
  const promised = resolveMinReturn(plan.route.returns, request.minReturnRule)
  const wholeReturns = scaleUp(outcome, request)
  return wholeReturns < promised ? belowSlippage(wholeReturns, promised) : undefined
}

function belowSlippage(returns: bigint, least: bigint): ServiceError {
  const text = `re-estimated return is below slippage. Return: ${returns}. Minimum: ${least}.`
  return new ServiceError('RE_ESTIMATED_RETURN_BELOW_SLIPPAGE', text, [
    { type: 'dstAmount', value: String(returns) },
    { type: 'minReturn', value: String(least) },
  ])
}

function taxedToken(token: Address): ServiceError {
  const text = `cannot estimate: ${token} charges a fee on transfer, which only version 6.1 with compatibility=true swaps`
  return new ServiceError('ESTIMATION_FAILED', text, [{ type: 'token', value: token }])
}

/** The router's rule: returned * amount against minimum * spent (contracts/ISwapRouter.sol). */
function scaleUp({ received, spent }: Done, { allowPartialFill, amount }: SwapRequest): bigint {
  return allowPartialFill && spent > 0n ? (received * amount) / spent : received
}

type Done = Extract<SimulationResult, { status: 'done' }>

/** Gas of a permit beyond the route, at most: writing a zero balance costs 20,000 (EIP-2929). */
export function permissionGas({ permit, usePermit2 }: SwapRequest): bigint {
  return (permit === undefined ? 0n : permitGas) + (usePermit2 ? permit2Gas : 0n)
}

/** Signature, nonce and allowance. */
const permitGas = 80_000n
const permit2Gas = 20_000n

/**
 * Returns the gas limit: refunds are at most a fifth (EIP-3529), and four nested calls retain 1/64 each
 * (EIP-150): 5/4 · (64/63)^4 < 4/3.
 */
export function gasLimit(gasUsed: bigint): bigint {
  return (gasUsed * 4n) / 3n + 1n
}
