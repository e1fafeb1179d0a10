import type { StateOverride } from 'viem'
import type { Address, ChainConfig } from '../config.ts'
import type { Block } from '../engine.ts'
import { ServiceError } from '../errors.ts'
import type { Route } from '../routing/route.ts'
import type { Service } from '../service.ts'
import { nativeTokenAddress } from '../tokens/registry.ts'
import { encodeSwap } from './calldata.ts'
import { findShortfall } from './checkBalance.ts'
import { currentBlock, findPlan, type Plan, plan } from './quote.ts'
import { computeMinReturn, type SwapRequest } from './request.ts'
import { isCallersOwn, revertReason } from './revertReason.ts'
import {
  findFeeOnTransfer,
  isRounding,
  type SimulationResult,
  simulateSwap,
  type Transaction,
  type Transfer,
} from './simulate.ts'

/** `deadline` is the swap's, in seconds since 1970: the trial carries the same, so that it takes the same gas. */
export type TimedRequest = SwapRequest & { deadline: bigint }

/** A plan tried out. */
export type SimulatedRoute = {
  plan: Plan
  /** What arrives at the receiver when it is executed. */
  returns: bigint
  /** The same for all of the amount: more when a branch failed and gave its share back. The minimum is held against it. */
  wholeReturns: bigint
  /** The gas to send it with. */
  gas: bigint
}

/**
 * Tries `first` out at its own block. When it does not keep its promise, one more plan is tried, through other pools; of the
 * two, that which pays more is judged. There is no second when no other pools could help: a token of the route takes a share
 * of each transfer and the caller accepts that, or what he brought along is at fault; nor when the minimum is a fixed amount, as
 * then the caller asked for that rate and no other.
 */
export async function validateRoute(
  service: Service,
  request: TimedRequest,
  first: Plan,
  override: StateOverride,
): Promise<SimulatedRoute> {
  const funded = await requireFunds(service, request, first)
  const tried = await tryPlan(service, request, funded, override)
  if (isFinal(tried, request)) return judge(request, tried)

  const suspects = await findSuspects(service, request, tried, override)
  const second = await planAround(service, request, funded, suspects)
  if (second === undefined) return judge(request, tried)
  const other = await tryPlan(service, request, second, override)
  return judge(request, better(tried, other, request))
}

/** A plan, what came of it, and the token of its route that takes a share of each transfer, if that is why it was less. */
type Tried = { plan: Plan; outcome: SimulationResult; taxed?: Address }

async function tryPlan(
  service: Service,
  request: TimedRequest,
  plan: Plan,
  override: StateOverride,
): Promise<Tried> {
  const outcome = await rehearsePlan(service, request, plan, override)
  if (keepsPromise({ plan, outcome })) return { plan, outcome }
  const taxed = await findTaxedOf(service, request, plan, override)
  return taxed === undefined ? { plan, outcome } : { plan, outcome, taxed }
}

function isFinal(tried: Tried, { floor, from, compatibility }: SwapRequest): boolean {
  const { outcome, taxed } = tried
  if (keepsPromise(tried) || 'minReturn' in floor) return true
  if (outcome.status === 'reverted' && taxed === undefined) return isCallersOwn(outcome.data, from)
  return taxed !== undefined && compatibility && outcome.status === 'done'
}

/** Of two that did not keep their promises to the wei, that which may be answered; of two such, that which pays more. */
function better(one: Tried, other: Tried, request: SwapRequest): Tried {
  const rank = (tried: Tried) => [fault(request, tried) === undefined ? 1n : 0n, arrived(tried)] as const
  const [[oneStands, onePays], [otherStands, otherPays]] = [rank(one), rank(other)]
  if (oneStands !== otherStands) return oneStands > otherStands ? one : other
  return otherPays > onePays ? other : one
}

/** `first`, or its like at a fresh block when the payer is short at its own: an approval mined a moment ago counts. */
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
 * The pools that did not pay what was read of them. A revert tells nothing of that, so the trade is tried once more in branches
 * that fail alone. When that tells nothing either, all pools of the plan.
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

/** Of the plan's pools those whose payment is not among what the router got. */
function findUnpaid({ route }: Plan, { paid }: Done): Address[] {
  const unpaid = route.edges.filter(({ to, bought }) => {
    const token = route.tokens[to]
    return (
      token !== nativeTokenAddress &&
      !paid.some((payment) => payment.token === token && payment.amount === bought)
    )
  })
  return unpaid.map(({ pool }) => pool.address)
}

/**
 * A plan at the newest block without the `suspects`. Where there are no others, the same pools are worth another look once there
 * is another block. None when that block cannot be read: what was tried already stands.
 */
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

/** The call of the router that executes `route`. */
export function buildSwap(
  config: ChainConfig,
  request: TimedRequest,
  route: Route,
  minReturn: bigint,
): Transaction {
  const { from, sell, buy, amount, receiver, feePpm, referrer, permit, deadline } = request
  const flags = flagsOf(request)
  const terms = { config, route, sell, buy, receiver, minReturn, deadline, amount, flags }
  return { from, ...encodeSwap({ ...terms, feePpm, referrer, permit }) }
}

/** When a swap that is built now expires, in seconds since 1970: counted from the newest block or the clock, whichever is ahead. */
export function swapDeadline({ swapSeconds = 900 }: ChainConfig, { timestamp }: Block): bigint {
  const now = BigInt(Math.floor(Date.now() / 1_000))
  return (now > timestamp ? now : timestamp) + BigInt(swapSeconds)
}

/** The coin is sent along, so Permit2 has no part in it. */
function flagsOf({ sell, allowPartialFill, usePermit2 }: SwapRequest): bigint {
  return (
    (allowPartialFill ? partialFill : 0n) | (usePermit2 && sell !== nativeTokenAddress ? throughPermit2 : 0n)
  )
}

/** Bits of the router's flags (contracts/ISwapRouter.sol). */
const partialFill = 1n
const throughPermit2 = 4n

/** The minimum is left out of the trial, so that a shortfall is a number and not a revert. */
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
 * All that was promised arrives, up to what tokens lose to rounding. More would say that the pools are not
 * what was read.
 */
function keepsPromise({ plan, outcome }: Tried): boolean {
  if (outcome.status !== 'done') return false
  const missing = plan.route.returns - outcome.received
  return missing >= 0n && isRounding(missing, plan.route.returns)
}

function arrived({ outcome }: Tried): bigint {
  return outcome.status === 'done' ? outcome.received : 0n
}

function judge(request: SwapRequest, tried: Tried): SimulatedRoute {
  const { plan, outcome } = tried
  const refusal = fault(request, tried)
  if (refusal !== undefined || outcome.status !== 'done') throw refusal
  const wholeReturns = scaleUp(outcome, request)
  return { plan, returns: outcome.received, wholeReturns, gas: gasLimit(outcome.gasUsed) }
}

/** Why what was tried cannot be answered, or undefined. For taxed tokens what arrives is the rate, if the caller accepts that. */
function fault(request: SwapRequest, { plan, outcome, taxed }: Tried): ServiceError | undefined {
  if (taxed !== undefined && !request.compatibility) return taxedToken(taxed)
  if (outcome.status === 'reverted') {
    return new ServiceError('ESTIMATION_FAILED', `cannot estimate: ${revertReason(outcome.data)}`)
  }
  if (taxed !== undefined || 'minReturn' in request.floor) return undefined
  const promised = computeMinReturn(request.floor, plan.route.returns)
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

/** The router's own reckoning of a partial fill: returned * amount against minimum * spent (contracts/ISwapRouter.sol). */
function scaleUp({ received, spent }: Done, { allowPartialFill, amount }: SwapRequest): bigint {
  return allowPartialFill && spent > 0n ? (received * amount) / spent : received
}

type Done = Extract<SimulationResult, { status: 'done' }>

/**
 * A node reports gas after refunds, which EIP-3529 limits to a fifth of what was used before them. And each call keeps a 64th of
 * the gas back (EIP-150), here four deep: 5/4 · (64/63)^4 < 4/3.
 */
export function gasLimit(gasUsed: bigint): bigint {
  return (gasUsed * 4n) / 3n + 1n
}

/**
 * The token of the route that keeps a share of a transfer, if there is one: what its pools paid is then not
 * what arrived. Tokens tax as they like, so each transfer of the swap is tried: the pull, into and out of
 * each pool, to the referrer and to the receiver.
 */
function findTaxedOf(
  { config, node }: Service,
  request: SwapRequest,
  { route, block }: Plan,
  override: StateOverride,
): Promise<Address | undefined> {
  const { sell, buy, from, receiver, referrer, amount, usePermit2 } = request
  const { router } = config
  const pulled = { token: sell, from, to: router, amount }
  const traded = route.edges.flatMap(({ pool, from, to, sold, bought }): Transfer[] => {
    const [input, output] = [route.tokens[from], route.tokens[to]]
    if (input === undefined || output === undefined || pool.address === config.wrapped) return []
    const holder = pool.holder ?? pool.address
    return [
      { token: input, from: router, to: holder, amount: sold },
      { token: output, from: holder, to: router, amount: bought },
    ]
  })
  const fee = amount - route.amount
  const transfers: Transfer[] = [
    // The second is for where the first fails, for want of an allowance that a permit gives.
    { ...pulled, spender: usePermit2 ? config.permit2 : router },
    pulled,
    ...(fee > 0n && referrer !== undefined ? [{ token: sell, from: router, to: referrer, amount: fee }] : []),
    ...traded,
    { token: buy, from: router, to: receiver, amount: route.returns },
  ]
  return findFeeOnTransfer(
    node,
    transfers.filter(({ token, from, to }) => token !== nativeTokenAddress && from !== to),
    block,
    override,
  )
}
