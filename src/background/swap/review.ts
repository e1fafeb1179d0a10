import type { SwapApi } from '../../api/client.ts'
import type { Call } from '../../domain/activity/callBatch.ts'
import type { SimulationVerdict } from '../../domain/activity/simulation.ts'
import type { Network, Settings } from '../../domain/network/network.ts'
import { getDirectContracts } from '../../domain/network/swapSource.ts'
import { newReturns } from '../../domain/swap/newPrice.ts'
import type { SwapTransaction } from '../../domain/swap/quote.ts'
import {
  getCompanions,
  requireMatch,
  type SwapExpectations,
  toBelowFloor,
} from '../../domain/swap/simulationCheck.ts'
import type { Review } from '../../domain/swap/swap.ts'
import { type Address, nativeTokenAddress } from '../../domain/token/token.ts'
import { toWalletError } from '../../errors.ts'
import type { Chain } from '../../evm/client.ts'
import type { ReviewRequest } from '../../protocol.ts'
import { getCost } from '../fees/cost.ts'
import { checkBlockGas, estimateGas, maxCallGas, requireNativeBalance } from '../fees/fees.ts'
import { worthInNative } from '../fees/moved.ts'
import { type PriceImpact, toReverse } from '../quotes/priceImpact.ts'
import type { FetchQuote } from '../quotes/rateLimitedQuotes.ts'
import type { RecentQuote } from '../quotes/recentQuotes.ts'
import type { ApprovalPlan } from './approvalPlan.ts'
import { readDeadlines } from './deadlines.ts'
import { feeInToken } from './feeInToken.ts'
import { approvalFee, expectedStepGas, stepGasLimits } from './gasLimits.ts'
import { readTradeMarket } from './market.ts'
import { swapCall, toExpectations } from './nextStep.ts'
import { withPlaceholderPermit } from './permits.ts'
import { planSwap } from './plannedSwap.ts'
import { estimateStepGas, type GasEstimate, simulateAll } from './simulate.ts'
import { verifySwapCalldata } from './verifyCalldata.ts'

/** `objection`: failure of the first transaction, which simulations do not override. */
export type ReviewResult = {
  review: Review
  calls: Call[]
  agreed: SwapExpectations
  block: bigint
  objection?: Objection | undefined
}

type ReviewDeps = {
  network: Network
  settings: Pick<Settings, 'strictCalldata' | 'accessLists'>
  api: SwapApi
  chain: Chain
  impact: PriceImpact
  price: FetchQuote
  recent: RecentQuote
  /** By the token list. */
  hasPermit: boolean
  /** Router of the service's last review. */
  lastRouter?: Address | undefined
  /** Timeout of optional values. */
  softlyMs: number
  now(): number
}

/**
 * Reviews the transaction to sign with the user's RPC. Throws `unknown-router`, `no-route`,
 * `not-enough-balance`, `not-enough-gas`, `below-floor`, `unsafe-transaction`; failed simulations are in the
 * verdict.
 */
export async function reviewSwap(outside: ReviewDeps, ask: ReviewRequest): Promise<ReviewResult> {
  const reviewed = await reviewFrom(outside, ask)
  const { verdict, floor } = reviewed.review
  // The simulation is below the quote, as with unknown token fees.
  const mayLower = ask.isAccepted === true && ask.atLeast !== undefined && floor > ask.atLeast
  return verdict.status === 'below-floor' && mayLower ? reviewFrom(outside, ask, ask.atLeast) : reviewed
}

/** `minReturn` overrides the slippage. */
async function reviewFrom(
  outside: ReviewDeps,
  ask: ReviewRequest,
  minReturn?: bigint,
): Promise<ReviewResult> {
  const { network, settings, chain, impact, price, recent, softlyMs, now } = outside
  const { account, trade, options, speed } = ask
  const priced = { trade, ...(options && { options }) }
  const fromSource = options?.source && { options: { source: options.source } }
  const { sell, buy, amount } = trade
  const { wrapped } = network
  const planning = planSwap(outside, ask, minReturn)
  planning.catch(() => undefined)
  const marketSeen = softly(softlyMs, readTradeMarket(chain, priced))
  const soldSeen = worthInNative(chain, [{ token: sell, amount }], wrapped)
  const [block, deadlines, most] = await Promise.all([
    chain.blockNumber(),
    readDeadlines(chain, now()),
    maxCallGas(chain),
    chain.verify(),
  ])
  const { router, isBindingRouter, way, transaction, floor, isRaised } = await planning
  const agreed = toExpectations({ ...ask, floor, router }, way)
  const checked = verifySwapCalldata(transaction, agreed, {
    strict: settings.strictCalldata,
    isBindingRouter,
    deadlines,
    direct: getDirectContracts(network),
  })
  checkBlockGas(transaction.gas, most)
  const { returns, route, gas } = transaction
  // Services limit the rate: one request besides the swap, for the price impact or else the fee's worth.
  // A recent quote may still be under way.
  const recentSeen = softly(softlyMs, recent(toReverse(priced, returns)))
  const impactSeen = (isRaised ? recentSeen : Promise.resolve(true)).then((known) =>
    known === undefined ? undefined : softly(softlyMs, impact(priced, returns)),
  )
  const boughtSeen = worthInNative(chain, [{ token: buy, amount: floor }], wrapped)

  // Stand-ins replace the unsigned permit.
  const own = way.before.map(({ call }) => call)
  const swap = swapCall(transaction)
  const calls = [...own, ...way.standIns, swap]
  const [{ verdict, gas: used }, first] = await Promise.all([
    simulateAll(chain, calls, agreed),
    estimateFirst(chain, account, way, transaction),
  ])
  // Unseen outcomes are refused unless the calldata is binding.
  if (verdict.status === 'unknown' || verdict.status === 'matches')
    requireMatch(verdict, checked, getCompanions(verdict))

  // Only the first transaction meets the current state.
  const limits = stepGasLimits(way, transaction, { first: first.gas, used, most })
  const limit = limits.reduce((sum, limit) => sum + limit)
  const { doubtOf, ...cost } = await getCost(
    chain,
    [...own, withPlaceholderPermit(way, swap)],
    limit,
    speed,
    expectedStepGas(way, limits, used),
  )
  requireNativeBalance(way.coin, swap.value, cost.networkFee)
  const fee = cost.expectedFee
  const feeOfApprovals = approvalFee(way, limits, used, cost)
  const [sold, bought] = await Promise.all([soldSeen, boughtSeen])
  const byMarket = feeInToken({ trade, returns, floor, fee, wrapped, sold, bought })
  const mayAskFee = byMarket === undefined && !isRaised && (await recentSeen) !== undefined
  const priceOfFee = async () =>
    (await price({ trade: { ...trade, sell: nativeTokenAddress, amount: fee }, ...fromSource })).returns
  const [impactBps, market, networkFeeWorth] = await Promise.all([
    impactSeen,
    marketSeen,
    mayAskFee ? softly(softlyMs, priceOfFee()) : byMarket,
  ])
  // Falls back to the swap service's price.
  const byService =
    networkFeeWorth === undefined || networkFeeWorth === 0n ? undefined : (fee * floor) / networkFeeWorth
  const feeDoubt = doubtOf(sold ?? bought ?? byService)
  const review: Review = {
    quote: { trade, returns, gas, route },
    floor: checked.floor,
    router,
    steps: way.steps,
    ...(way.permission && { permission: way.permission }),
    permissions: way.offers,
    verdict: withBlocker(verdict, first.objection),
    ...cost,
    ...(feeOfApprovals !== undefined && { approvalFee: feeOfApprovals }),
    ...(feeDoubt && { feeDoubt }),
    ...(networkFeeWorth !== undefined && { networkFeeWorth }),
    ...(impactBps !== undefined && { impactBps }),
    ...(market && { market }),
    ...(first.weights && { accessList: first.weights }),
  }
  return { review, calls, agreed, block, objection: first.objection }
}

type First = Partial<GasEstimate> & { objection?: Objection }

/** Why the first transaction fails. */
export type Objection = Extract<SimulationVerdict, { status: 'below-floor' | 'reverts' }>

/** Stand-ins show how the RPC counts gas. */
async function estimateFirst(
  chain: Chain,
  from: Address,
  { before: [approve], standIns: [standIn], toSign }: ApprovalPlan,
  transaction: SwapTransaction,
): Promise<First> {
  if (approve === undefined && toSign !== undefined) {
    const gas = standIn && (await chain.estimateGas({ from, ...standIn }).catch(() => undefined))
    return gas === undefined ? {} : { gas }
  }
  try {
    if (approve !== undefined) return { gas: await estimateGas(chain, { from, ...approve.call }) }
    return await estimateStepGas(chain, { from, ...swapCall(transaction) }, transaction.accessList)
  } catch (cause) {
    const { code, message, facts } = toWalletError(cause)
    if (code !== 'would-fail' && code !== 'below-floor') throw cause
    if (code === 'below-floor') return { objection: toBelowFloor(newReturns({ code, facts })) }
    return { objection: { status: 'reverts', reason: facts.reason ?? message } }
  }
}

/** Applies a failed estimate to a good verdict. */
export function withBlocker(verdict: SimulationVerdict, objection: Objection | undefined): SimulationVerdict {
  const isGood = verdict.status === 'matches' || verdict.status === 'unknown'
  return isGood && objection !== undefined ? objection : verdict
}

/** Undefined on failure or timeout. */
function softly<T>(ms: number, number: Promise<T>): Promise<T | undefined> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, ms))
  return Promise.race([number, late]).catch(() => undefined)
}
