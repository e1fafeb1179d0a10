import type { StateOverride } from 'viem'
import { encodeSwap } from './calldata.ts'
import type { ChainConfig } from './config.ts'
import { ServiceError } from './errors.ts'
import { findShortfall } from './funds.ts'
import { currentBlock, findPlan, type Plan, plan } from './quote.ts'
import { leastReturn, type SwapRequest } from './request.ts'
import { revertReason } from './reverts.ts'
import type { Route } from './routing/route.ts'
import type { Service } from './service.ts'
import { findTaxed, type Rehearsal, rehearse, type Transaction } from './simulation.ts'
import { native } from './tokens.ts'

/** A plan, what arrives at the receiver when it is executed, and the gas to send it with. */
export type Trial = { plan: Plan; returns: bigint; gas: bigint }

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
  const second = await planAround(service, request, funded)
  if (second === undefined) return judge(service, request, funded, outcome)
  const other = await rehearsePlan(service, request, second, override)
  return arrived(other) > arrived(outcome)
    ? judge(service, request, second, other)
    : judge(service, request, funded, outcome)
}

/** `first`, or its like at a fresh block when the payer is short at its own: an approval mined a moment ago counts. */
async function requireFunds(service: Service, request: SwapRequest, first: Plan): Promise<Plan> {
  if ((await findShortfall(service, request, first.block.number)) === undefined) return first
  await service.engine().refresh()
  const fresh = plan(service, request, 'NO_PROTOCOLS')
  const shortfall = await findShortfall(service, request, fresh.block.number)
  if (shortfall !== undefined) throw shortfall
  return fresh
}

/**
 * A plan at the newest block without the pools of `failed`, one of which is not what was read of it. Where
 * there are no others, the same pools are worth another look once there is another block.
 */
async function planAround(service: Service, request: SwapRequest, failed: Plan): Promise<Plan | undefined> {
  await service.engine().refresh()
  const pools = new Set(failed.route.edges.map(({ pool }) => pool.address))
  const around = findPlan(service, request, 'NO_PROTOCOLS', pools)
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
  const call = encodeSwap({ config, route, sell, buy, receiver, minReturn, feePpm, referrer, permit, amount })
  return { from, ...call }
}

/** The minimum is left out of the trial, so that a shortfall is a number and not a revert. */
function rehearsePlan(
  service: Service,
  request: SwapRequest,
  tried: Plan,
  override: StateOverride,
): Promise<Rehearsal> {
  const transaction = buildSwap(service.config, request, tried.route, 0n)
  return rehearse(service.node, transaction, tried.block, override)
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
  const { received, gasUsed } = outcome
  const promised = leastReturn(request.floor, tried.route.returns)
  if ('slippage' in request.floor && !request.compatibility && received < promised) {
    throw new ServiceError(
      'RE_ESTIMATED_RETURN_BELOW_SLIPPAGE',
      `re-estimated return is below slippage. Return: ${received}. Minimum: ${promised}.`,
      [
        { type: 'dstAmount', value: String(received) },
        { type: 'minReturn', value: String(promised) },
      ],
    )
  }
  return { plan: tried, returns: received, gas: gasLimit(gasUsed) }
}

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
    return [{ token, from: pool.address, to: config.router, amount: bought }]
  })
  const pulled = { token: request.sell, from: request.from, to: config.router, amount: request.amount }
  const transfers = request.sell === native ? paid : [pulled, ...paid]
  const taxed = await findTaxed(node, transfers, block)
  if (taxed === undefined) return
  throw new ServiceError(
    'ESTIMATION_FAILED',
    `cannot estimate: ${taxed} charges a fee on transfer, which needs compatibility=true`,
    [{ type: 'token', value: taxed }],
  )
}
