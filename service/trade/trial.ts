import type { StateOverride } from 'viem'
import type { Address, ChainConfig } from '../config.ts'
import { ServiceError } from '../errors.ts'
import type { Route } from '../routing/route.ts'
import type { Service } from '../service.ts'
import { encodeSwap } from './calldata.ts'
import { findShortfall } from './funds.ts'
import { currentBlock, findPlan, type Plan, plan } from './quote.ts'
import { leastReturn, type SwapRequest } from './request.ts'
import { revertReason } from './reverts.ts'
import { findTaxed, type Rehearsal, rehearse, type Transaction } from './simulation.ts'
import { native } from './tokens.ts'

/** A plan tried out. */
export type Trial = {
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
 * two, that which pays more is judged. There is no second when the minimum is a fixed amount: then the caller asked for that
 * rate and no other.
 */
export async function tryOut(
  service: Service,
  request: SwapRequest,
  first: Plan,
  override: StateOverride,
): Promise<Trial> {
  const funded = await requireFunds(service, request, first)
  const outcome = await rehearsePlan(service, request, funded, override)
  if (keepsPromise(outcome, funded, request) || 'minReturn' in request.floor) {
    return judge(service, request, funded, outcome)
  }
  const suspects = await findSuspects(service, request, funded, outcome, override)
  const second = await planAround(service, request, funded, suspects)
  if (second === undefined) return judge(service, request, funded, outcome)
  const other = await rehearsePlan(service, request, second, override)
  return arrived(other) > arrived(outcome)
    ? judge(service, request, second, other)
    : judge(service, request, funded, outcome)
}

/** `first`, or its like at a fresh block when the payer is short at its own: an approval mined a moment ago counts. */
async function requireFunds(service: Service, request: SwapRequest, first: Plan): Promise<Plan> {
  if ((await findShortfall(service, request, first.block)) === undefined) return first
  await service.engine().refresh()
  const fresh = plan(service, request, 'NO_PROTOCOLS')
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
  request: SwapRequest,
  tried: Plan,
  outcome: Rehearsal,
  override: StateOverride,
): Promise<ReadonlySet<Address>> {
  const told = outcome.status === 'done' ? findUnpaid(tried, outcome) : await probe()
  return new Set(told.length > 0 ? told : tried.route.edges.map(({ pool }) => pool.address))

  async function probe(): Promise<Address[]> {
    const loose = { ...request, allowPartialFill: true }
    const apart = findPlan(service, loose, 'NO_PROTOCOLS', new Set())
    if (apart === undefined) return []
    const partly = await rehearsePlan(service, loose, apart, override)
    return partly.status === 'done' ? findUnpaid(apart, partly) : []
  }
}

/** Of the plan's pools those whose payment is not among what the router got. */
function findUnpaid({ route }: Plan, { paid }: Done): Address[] {
  const unpaid = route.edges.filter(({ to, bought }) => {
    const token = route.tokens[to]
    return token !== native && !paid.some((payment) => payment.token === token && payment.amount === bought)
  })
  return unpaid.map(({ pool }) => pool.address)
}

/**
 * A plan at the newest block without the `suspects`. Where there are no others, the same pools are worth another look once there
 * is another block.
 */
async function planAround(
  service: Service,
  request: SwapRequest,
  failed: Plan,
  suspects: ReadonlySet<Address>,
): Promise<Plan | undefined> {
  await service.engine().refresh()
  const around = findPlan(service, request, 'NO_PROTOCOLS', suspects)
  if (around !== undefined || currentBlock(service).hash === failed.block.hash) return around
  return findPlan(service, request, 'NO_PROTOCOLS', new Set())
}

/** The call of the router that executes `route`. */
export function buildSwap(
  config: ChainConfig,
  request: SwapRequest,
  route: Route,
  minReturn: bigint,
): Transaction {
  const { from, sell, buy, amount, receiver, feePpm, referrer, permit } = request
  const flags = flagsOf(request)
  const call = { config, route, sell, buy, receiver, minReturn, feePpm, referrer, permit, amount, flags }
  return { from, ...encodeSwap(call) }
}

/** The coin is sent along, so Permit2 has no part in it. */
function flagsOf({ sell, allowPartialFill, usePermit2 }: SwapRequest): bigint {
  return (allowPartialFill ? partialFill : 0n) | (usePermit2 && sell !== native ? throughPermit2 : 0n)
}

/** Bits of the router's flags (contracts/ISwapRouter.sol). */
const partialFill = 1n
const throughPermit2 = 4n

/** The minimum is left out of the trial, so that a shortfall is a number and not a revert. */
function rehearsePlan(
  service: Service,
  request: SwapRequest,
  tried: Plan,
  override: StateOverride,
): Promise<Rehearsal> {
  const transaction = buildSwap(service.config, request, tried.route, 0n)
  return rehearse(service.node, transaction, request.origin, tried.block, override)
}

function keepsPromise(outcome: Rehearsal, { route }: Plan, { compatibility }: SwapRequest): boolean {
  return outcome.status === 'done' && (compatibility || outcome.received === route.returns)
}

function arrived(outcome: Rehearsal): bigint {
  return outcome.status === 'done' ? outcome.received : 0n
}

async function judge(
  service: Service,
  request: SwapRequest,
  tried: Plan,
  outcome: Rehearsal,
): Promise<Trial> {
  if (!request.compatibility && !keepsPromise(outcome, tried, request)) {
    await refuseTaxed(service, request, tried)
  }
  if (outcome.status === 'reverted') {
    throw new ServiceError('ESTIMATION_FAILED', `cannot estimate: ${revertReason(outcome.data)}`)
  }
  const wholeReturns = scaleUp(outcome, request)
  const promised = leastReturn(request.floor, tried.route.returns)
  if ('slippage' in request.floor && !request.compatibility && wholeReturns < promised) {
    throw new ServiceError(
      'RE_ESTIMATED_RETURN_BELOW_SLIPPAGE',
      `re-estimated return is below slippage. Return: ${wholeReturns}. Minimum: ${promised}.`,
      [
        { type: 'dstAmount', value: String(wholeReturns) },
        { type: 'minReturn', value: String(promised) },
      ],
    )
  }
  return { plan: tried, returns: outcome.received, wholeReturns, gas: gasLimit(outcome.gasUsed) }
}

/** The router's own reckoning of a partial fill: returned * amount against minimum * spent (contracts/ISwapRouter.sol). */
function scaleUp({ received, spent }: Done, { allowPartialFill, amount }: SwapRequest): bigint {
  return allowPartialFill && spent > 0n ? (received * amount) / spent : received
}

type Done = Extract<Rehearsal, { status: 'done' }>

/**
 * A node reports gas after refunds, which EIP-3529 limits to a fifth of what was used before them. And each call keeps a 64th of
 * the gas back (EIP-150), here four deep: 5/4 · (64/63)^4 < 4/3.
 */
function gasLimit(gasUsed: bigint): bigint {
  return (gasUsed * 4n) / 3n + 1n
}

/** Throws when a token of the route keeps a share of every transfer: what its pools paid is then not what arrived. */
async function refuseTaxed(
  { config, node }: Service,
  request: SwapRequest,
  { route, block }: Plan,
): Promise<void> {
  const paid = route.edges.flatMap(({ pool, to, bought }) => {
    const token = route.tokens[to]
    if (token === undefined || pool.address === config.wrapped) return []
    return [{ token, from: pool.holder ?? pool.address, to: config.router, amount: bought }]
  })
  const pulled = { token: request.sell, from: request.from, to: config.router, amount: request.amount }
  const transfers = request.sell === native ? paid : [pulled, ...paid]
  const taxed = await findTaxed(node, transfers, block)
  if (taxed === undefined) return
  throw new ServiceError(
    'ESTIMATION_FAILED',
    `cannot estimate: ${taxed} charges a fee on transfer, which only version 6.1 with compatibility=true swaps`,
    [{ type: 'token', value: taxed }],
  )
}
