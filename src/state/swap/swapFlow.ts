import { createStore } from 'zustand/vanilla'
import { hasOutcome } from '../../domain/activity/intent.ts'
import { encode } from '../../domain/json.ts'
import type { Route } from '../../domain/swap/quote.ts'
import {
  isSignable,
  type PastPrices,
  type Review,
  type Swap,
  type SwapIntent,
  type SwapTerms,
} from '../../domain/swap/swap.ts'
import { type Address, nativeTokenAddress } from '../../domain/token/token.ts'
import { type TokenPrice, toPastPrices } from '../../domain/value/price.ts'
import { toWalletError, WalletError } from '../../errors.ts'
import type { DappsApi, ReviewRequest, SwapsApi } from '../../protocol.ts'
import { type Clock, createTimer } from '../clock.ts'
import { randomId } from '../randomId.ts'
import { retryOnWorkerRestart } from '../retryOnWorkerRestart.ts'

/**
 * `request`: the dapp request answered, its sell amount and minimum. `atLeast`: the higher of that and the
 * minimum first shown; later reviews must not go below. `impactBps`: the form's.
 */
export type Plan = Omit<ReviewRequest, 'id' | 'unattended'> & {
  impactBps?: number
  request?: { id: string; filled?: bigint; floor?: bigint }
}

export type Accepted = Pick<SwapIntent, 'acceptedLossBps' | 'acceptedCompanions'>

export type SwapStage =
  | { at: 'form' }
  /** `id` becomes the intent's. */
  | { at: 'preparing'; id: string; plan: Plan }
  | { at: 'unprepared'; plan: Plan; error: WalletError }
  | { at: 'review'; id: string; plan: Plan; review: Review }
  | { at: 'confirming'; intent: SwapIntent; plan: Plan; review: Review }
  /** Rejected, or no response. */
  | { at: 'refused'; intent: SwapIntent; plan: Plan; review: Review; error: WalletError }
  | { at: 'progress'; id: string }

/** Newest first. */
export type SwapFlowState = { stage: SwapStage; swaps: Swap[] }

type Prices = {
  track(chainId: number, tokens: Address[]): void
  /** Undefined when values are off. */
  price(chainId: number, token: Address): TokenPrice | undefined
}

const lookEveryMs = 2_000

const reviewHoldsForMs = (chainId: number) => (chainId === 1 ? 30_000 : 15_000)

// A new block may change the simulation.
const recheckEveryMs = (chainId: number) => (chainId === 1 ? 4_000 : 2_000)

const restAfterMs = 5 * 60_000

export function createSwapFlow(
  wallet: SwapsApi & Pick<DappsApi, 'approve'>,
  clock: Clock,
  newId: () => string = randomId,
  prices?: Prices,
) {
  const store = createStore<SwapFlowState>()(() => ({ stage: { at: 'form' }, swaps: [] }))
  const enter = (stage: SwapStage) => store.setState({ stage })
  const isAt = (stage: SwapStage) => store.getState().stage === stage
  const looking = createTimer(clock)
  const aging = createTimer(clock)
  const rechecking = createTimer(clock)
  let hidden = false
  let touchedAt = clock.now()
  let askedAt = touchedAt
  let agedAt = 0

  function isAged(): boolean {
    return clock.now() >= agedAt
  }

  function touch(): void {
    touchedAt = clock.now()
  }

  function heard(swap: Swap): void {
    know([swap, ...store.getState().swaps.filter((one) => !isSame(one, swap))])
  }

  function know(swaps: Swap[]): void {
    store.setState({ swaps: newestFirst(swaps) })
    // A browser may stop the waiting worker; polling restarts it.
    if (swaps.some(isWorking)) looking.set(lookEveryMs, () => void look())
    else looking.stop()
  }

  async function look(): Promise<void> {
    know(await wallet.swaps().catch(() => store.getState().swaps))
  }

  async function learn(): Promise<void> {
    know(await wallet.swaps())
  }

  /** Shows a pending swap, since its popup was closed. */
  async function load(): Promise<void> {
    await learn()
    const open = store.getState().swaps.find((one) => !hasOutcome(one))
    if (open !== undefined && store.getState().stage.at === 'form') {
      enter({ at: 'progress', id: open.intent.id })
    }
  }

  async function prepare(asked: Plan): Promise<void> {
    const id = newId()
    const preparing: SwapStage = { at: 'preparing', id, plan: asked }
    enter(preparing)
    const { chainId, sell, buy } = asked.trade
    prices?.track(chainId, [sell, buy, nativeTokenAddress])
    try {
      const { request: _request, impactBps: _impact, ...ask } = asked
      const isAttended = touchedAt >= askedAt
      askedAt = clock.now()
      const made = await wallet.review({ ...ask, id, ...(!isAttended && { unattended: true }) })
      if (!isAt(preparing)) return
      const review = knowing(made, asked.impactBps)
      // Unsignable numbers are no promise.
      const plan =
        asked.atLeast === undefined && isSignable(review) ? { ...asked, atLeast: review.floor } : asked
      enter({ at: 'review', id, plan, review })
      const holdsForMs = reviewHoldsForMs(plan.trade.chainId)
      agedAt = clock.now() + holdsForMs
      aging.set(holdsForMs, () => reviewOf(id) && renew(plan))
      recheckLater(id, plan)
    } catch (error) {
      if (isAt(preparing)) enter({ at: 'unprepared', plan: asked, error: toWalletError(error) })
    }
  }

  /** Stops after inactivity. */
  function renew(plan: Plan): void {
    if (hidden) return
    if (clock.now() - touchedAt < restAfterMs) return void prepare(plan)
    const error = new WalletError('stale-review', 'Nobody was here for a while: the numbers are old.')
    enter({ at: 'unprepared', plan, error })
  }

  function reviewOf(id: string): Extract<SwapStage, { at: 'review' }> | undefined {
    const { stage } = store.getState()
    return stage.at === 'review' && stage.id === id ? stage : undefined
  }

  function recheckLater(id: string, plan: Plan): void {
    rechecking.set(recheckEveryMs(plan.trade.chainId), () => !hidden && reviewOf(id) && recheck(id, plan))
  }

  function pricesOf({ trade: { chainId, sell, buy } }: Plan): PastPrices {
    const at = (token: Address) => prices?.price(chainId, token)
    return toPastPrices({ sell: at(sell), buy: at(buy), native: at(nativeTokenAddress) })
  }

  /** A restarted worker has no review. */
  async function recheck(id: string, plan: Plan): Promise<void> {
    // The review expires anyway.
    const verdict = await wallet.resimulate(id).catch(() => reviewOf(id)?.review.verdict)
    const stage = reviewOf(id)
    if (stage === undefined) return
    if (verdict === undefined) return prepare(plan)
    // Render changes only.
    if (encode(verdict) !== encode(stage.review.verdict))
      enter({ ...stage, review: { ...stage.review, verdict } })
    recheckLater(id, plan)
  }

  /** Idempotent by intent id. */
  async function handOver(intent: SwapIntent, request: Plan['request']): Promise<void> {
    if (request === undefined) return heard(await wallet.swap(intent))
    const { id, floor: _, ...filled } = request
    await wallet.approve(id, { kind: 'swap', intent, ...filled })
    await learn()
  }

  return {
    ...store,
    heard,
    learn,
    load,
    touch,

    /** Pauses the polling of a hidden review. */
    setHidden(now: boolean): void {
      if (hidden === now) return
      hidden = now
      const { stage } = store.getState()
      if (hidden || stage.at !== 'review') return
      touch()
      if (isAged()) prepare(stage.plan)
      else recheck(stage.id, stage.plan)
    },

    prepare(plan: Plan): Promise<void> {
      touch()
      return prepare(plan)
    },

    async change(terms: Pick<SwapTerms, 'permission' | 'speed'>): Promise<void> {
      const { stage } = store.getState()
      if ('plan' in stage && !('intent' in stage)) await prepare({ ...stage.plan, ...terms })
    },

    /** A retry after `refused` submits the same intent. */
    async confirm(accepted: Accepted = {}): Promise<void> {
      const { stage } = store.getState()
      if (stage.at !== 'review' && stage.at !== 'refused') return
      const { plan, review } = stage
      if (stage.at === 'review') {
        if (!isSignable(review)) return
        // The timer may be late after sleep.
        if (isAged()) {
          touch()
          return prepare(plan)
        }
      }
      const intent =
        stage.at === 'refused' ? stage.intent : toIntent(stage.id, plan, review, accepted, pricesOf(plan))
      const confirming: SwapStage = { at: 'confirming', intent, plan, review }
      enter(confirming)
      try {
        await retryOnWorkerRestart(clock, () => handOver(intent, plan.request))
        if (isAt(confirming)) enter({ at: 'progress', id: intent.id })
      } catch (error) {
        if (isAt(confirming)) enter({ at: 'refused', intent, plan, review, error: toWalletError(error) })
      }
    },

    follow: (id: string) => enter({ at: 'progress', id }),
    /** A pending swap continues. */
    leave(): void {
      const { stage } = store.getState()
      enter({ at: 'form' })
      // A stopped worker may have accepted the intent.
      if (stage.at === 'refused') load().catch(() => undefined)
    },
  }
}

function isWorking({ outcome }: Swap): boolean {
  return outcome.status === 'working'
}

function knowing(review: Review, impactBps: number | undefined): Review {
  return review.impactBps === undefined && impactBps !== undefined ? { ...review, impactBps } : review
}

export function toIntent(
  id: string,
  plan: Plan,
  review: Review,
  accepted: Accepted = {},
  prices: PastPrices = {},
): SwapIntent {
  const { request: _q, atLeast: _l, isAccepted: _a, impactBps: _i, permission: _p, ...chosen } = plan
  const { quote, floor, router, feeCap, permission, expectedFee, networkFeeWorth, impactBps, market } = review
  const sources = toSources(quote.route)
  return {
    ...chosen,
    ...accepted,
    id,
    floor,
    router,
    feeCap,
    ...(permission && { permission }),
    shown: {
      returns: quote.returns,
      networkFee: expectedFee,
      ...(networkFeeWorth !== undefined && { networkFeeWorth }),
      ...(impactBps !== undefined && { impactBps }),
      ...(sources.length > 0 && { sources }),
      ...(market && { market: market.returns }),
      ...(Object.keys(prices).length > 0 && { prices }),
    },
  }
}

/** The service chooses the names. */
const maxSources = { count: 20, length: 40 }

function toSources(route: Route): string[] {
  const names = route.flatMap(({ hops }) => hops.flatMap(({ sources }) => sources.map(({ name }) => name)))
  return [...new Set(names)].slice(0, maxSources.count).map((name) => name.slice(0, maxSources.length))
}

function isSame(one: Swap, other: Swap): boolean {
  return one.intent.id === other.intent.id
}

function newestFirst(swaps: Swap[]): Swap[] {
  return [...swaps].sort((one, other) => other.createdAt - one.createdAt)
}
