import type { Call } from '../../domain/activity/callBatch.ts'
import type { Companion } from '../../domain/activity/simulation.ts'
import { getDirectContracts } from '../../domain/network/swapSource.ts'
import { type AccessSlots, computeMinReturn, type SwapTransaction } from '../../domain/swap/quote.ts'
import { raiseMinReturn } from '../../domain/swap/raiseMinReturn.ts'
import { type CalldataTerms, requireMatch, type SwapExpectations } from '../../domain/swap/simulationCheck.ts'
import type { StepKind, SwapIntent } from '../../domain/swap/swap.ts'
import type { WrapKind } from '../../domain/swap/wrap.ts'
import type { Address, Hex } from '../../domain/token/token.ts'
import { toWalletError, WalletError } from '../../errors.ts'
import type { Chain } from '../../evm/client.ts'
import type { Vault } from '../../vault/vault.ts'
import { callGasLimit, checkBlockGas, estimateCallGas, estimateGas, maxCallGas } from '../fees/fees.ts'
import type { Networks } from '../networks/networks.ts'
import { wrapCall } from '../quotes/wrap.ts'
import type { SettingsStore } from '../settings.ts'
import { type ApprovalPlan, agreedPlan, type PlannedApproval, staleReview } from './approvalPlan.ts'
import { readDeadlines } from './deadlines.ts'
import { computeRouteGas, type RouteGas, stepGasLimits, withoutPermit } from './gasLimits.ts'
import { checkMarket } from './market.ts'
import { permitCall, signPermit, withPlaceholderPermit } from './permits.ts'
import { buildSwap, toBuildRequest } from './requestTransaction.ts'
import { estimateStepGas, simulateAll, simulateApproval } from './simulate.ts'
import { verifySwapCalldata } from './verifyCalldata.ts'
import { readRouterBinding, readWrappedBinding } from './verifyRouter.ts'

/** Transaction without nonce and fees. `after`: later steps. */
export type PreparedStep = {
  to?: Address
  data: Hex
  value: bigint
  gas: bigint
  after?: { gas: bigint; calls: { data: Hex }[] }
  accessList?: AccessSlots[]
  /** Of the swap, now or later; a wrap has none. */
  routeGas?: RouteGas
}

type Deps = {
  vault: Pick<Vault, 'withKey'>
  networks: Pick<Networks, 'api' | 'network'>
  settings: Pick<SettingsStore, 'get'>
  now(): number
}

type Signable = NonNullable<ApprovalPlan['toSign']>

type VerifiedSwap = { transaction: SwapTransaction; terms: CalldataTerms }

/** `accepted` has the accepted minReturn. */
type Prepared = {
  plan: ApprovalPlan
  agreed: SwapExpectations
  verify(transaction: SwapTransaction): VerifiedSwap
  build(minReturn: bigint, permit?: Hex): Promise<VerifiedSwap>
  accepted: VerifiedSwap
  companions: Companion[]
  mostGas: bigint
}

/** Seconds. */
const permitHolds = 600n

/**
 * Builds a step. The swap is requested anew, as reviews go stale, and simulated by the user's RPC, which
 * knows earlier steps. Throws before signing if it is not what the user accepted.
 */
export function createSwapSteps({ vault, networks, settings, now }: Deps) {
  async function buildWrap(kind: WrapKind, intent: SwapIntent, chain: Chain): Promise<PreparedStep> {
    const isBinding = await readWrappedBinding(chain, intent.router)
    const call = wrapCall(kind, intent.router, intent.trade.amount)
    const gas = await estimateCallGas(chain, intent.account, call, false)
    const { verdict } = await simulateAll(chain, [{ ...call, gas }], toExpectations(intent))
    requireMatch(verdict, { floor: intent.floor, isBinding }, [])
    return { ...call, gas }
  }

  /** The token must accept the permit before others get it. */
  async function sign({ account, trade, router }: SwapIntent, toSign: Signable, chain: Chain): Promise<Hex> {
    const deadline = BigInt(Math.floor(now() / 1_000)) + permitHolds
    const ask = { token: trade.sell, owner: account, spender: router, amount: trade.amount, deadline }
    const permit = await vault.withKey(account, (key) => signPermit(key, toSign, ask))
    await chain.estimateGas({ from: account, ...permitCall(toSign, trade.sell, permit) }).catch(refused)
    return permit
  }

  async function prepare(intent: SwapIntent, chain: Chain, mostRouteGas?: number): Promise<Prepared> {
    const { chainId } = intent.trade
    const [api, network, own] = await Promise.all([
      networks.api(chainId, intent.options?.source),
      networks.network(chainId),
      settings.get(),
    ])
    const [plan, isBindingRouter, deadlines, mostGas] = await Promise.all([
      agreedPlan(chain, api, intent),
      // No approval for an address without a contract.
      readRouterBinding(chain, intent.router, chainId),
      readDeadlines(chain, now()),
      maxCallGas(chain),
    ])
    const agreed = toExpectations(intent, plan)
    const limit = mostRouteGas !== undefined && { options: { ...intent.options, gasLimit: mostRouteGas } }
    const ask = toBuildRequest({ ...intent, ...limit }, plan, network, own)
    const verify: Prepared['verify'] = (transaction) => {
      const terms = verifySwapCalldata(transaction, agreed, {
        strict: own.strictCalldata,
        isBindingRouter,
        deadlines,
        direct: getDirectContracts(network),
      })
      // No approval for a swap that will not be signed.
      checkBlockGas(transaction.gas, mostGas)
      return { transaction, terms }
    }
    const build: Prepared['build'] = async (minReturn, permit) =>
      verify(await buildSwap(api, { ...ask, permit }, { leastReturn: minReturn }))
    const [accepted] = await Promise.all([build(intent.floor), checkMarket(chain, intent)])
    return { plan, agreed, verify, build, accepted, companions: intent.acceptedCompanions ?? [], mostGas }
  }

  async function buildApproval(
    kind: StepKind,
    { account, trade }: SwapIntent,
    chain: Chain,
    prepared: Prepared,
  ): Promise<PreparedStep> {
    const { plan, accepted, mostGas: most } = prepared
    const from = plan.before.findIndex((step) => step.kind === kind)
    const [next, ...later] = from < 0 ? [] : plan.before.slice(from)
    if (next === undefined) throw staleReview()
    const { call, amount } = next
    const before = [next, ...later]
    const [used, first] = await Promise.all([
      simulateRemaining(before, chain, prepared),
      estimateGas(chain, { from: account, ...call }),
    ])
    const gas = callGasLimit(first, most)
    await simulateApproval(
      chain,
      account,
      { ...call, gas },
      { token: trade.sell, spender: plan.spender, amount },
    )
    const [, ...limits] = stepGasLimits({ ...plan, before }, accepted.transaction, { first, used, most })
    const calls = [
      ...later.map(({ call }) => call),
      withPlaceholderPermit(plan, swapCall(accepted.transaction)),
    ]
    const after = { gas: limits.reduce((sum, limit) => sum + limit), calls }
    const limit = limits.at(-1) ?? 0n
    const routeGas = computeRouteGas(plan, accepted.transaction, { limit, used: used.at(-1) })
    return { ...call, gas, after, routeGas }
  }

  /**
   * Uses the highest minReturn within the slippage, to protect better prices; else the accepted one. Writes
   * it into the calldata where it can, which saves a request.
   */
  async function buildBest(intent: SwapIntent, chain: Chain, prepared: Prepared): Promise<PreparedStep> {
    const { plan, agreed, verify, build, accepted, companions, mostGas } = prepared
    const { account, floor, slippageBps } = intent
    const { toSign } = plan
    const permit =
      toSign && (await simulateRemaining([], chain, prepared).then(() => sign(intent, toSign, chain)))

    const built = permit === undefined ? accepted : await build(floor, permit)

    async function prepareSwap({ transaction, terms }: VerifiedSwap): Promise<PreparedStep> {
      const call = swapCall(transaction)
      const { gas: estimated, accessList } = await estimateStepGas(
        chain,
        { from: account, ...call },
        transaction.accessList,
      )
      const gas = callGasLimit(estimated, mostGas)
      const { verdict, gas: used } = await simulateAll(chain, [{ ...call, gas }], agreed)
      requireMatch(verdict, terms, companions)
      const ofRoute = { limit: gas, used: withoutPermit(plan, used[0]) }
      const routeGas = computeRouteGas(plan, transaction, ofRoute)
      return { ...call, gas, routeGas, ...(accessList && { accessList }) }
    }

    const better = computeMinReturn(built.transaction.returns, slippageBps)
    if (better <= floor) return prepareSwap(built)
    const raise = async () => {
      const raised = raiseMinReturn(built.transaction, better)
      return prepareSwap(raised ? verify(raised) : await build(better, permit))
    }
    return raise().catch((error: unknown) => {
      if (toWalletError(error).code !== 'below-floor') throw error
      return prepareSwap(built)
    })
  }

  /** `mostRouteGas`: only routes that use at most this gas. */
  return async (
    kind: StepKind,
    intent: SwapIntent,
    chain: Chain,
    mostRouteGas?: number,
  ): Promise<PreparedStep> => {
    if (kind === 'wrap' || kind === 'unwrap') return buildWrap(kind, intent, chain)
    const prepared = await prepare(intent, chain, mostRouteGas)
    return kind === 'swap' ? buildBest(intent, chain, prepared) : buildApproval(kind, intent, chain, prepared)
  }
}

/** Simulates all that remains before a part is paid or signed. Returns the gas of each call. */
async function simulateRemaining(
  before: PlannedApproval[],
  chain: Chain,
  { plan, agreed, accepted: { transaction, terms }, companions }: Prepared,
): Promise<bigint[]> {
  const calls = [...before.map(({ call }) => call), ...plan.standIns, swapCall(transaction)]
  const { verdict, gas } = await simulateAll(chain, calls, agreed)
  requireMatch(verdict, terms, companions)
  return gas
}

/** Combines the user's terms with the plan. */
export function toExpectations(
  intent: Omit<SwapExpectations, 'permission'>,
  plan?: ApprovalPlan,
): SwapExpectations {
  const { account, trade, floor, router, options, receiver, allowPartialFill } = intent
  const { permission, isUnlimited, allowed } = plan ?? {}
  return {
    account,
    trade,
    floor,
    router,
    options,
    receiver,
    allowPartialFill,
    permission,
    isUnlimited,
    allowed,
  }
}

export function swapCall({ to, data, value }: SwapTransaction): Call & { to: Address } {
  return { to, data, value }
}

function refused(cause: unknown): never {
  const { code, message } = toWalletError(cause)
  if (code !== 'reverted') throw cause
  throw new WalletError('no-permit', `The token takes no such signature. ${message}`, {}, { cause })
}
