import { createStore } from 'zustand/vanilla'
import { isFinal } from '../../domain/activity/intent.ts'
import { encode } from '../../domain/json.ts'
import type { Route } from '../../domain/swap/quote.ts'
import {
  isSignable,
  type Review,
  type Swap,
  type SwapIntent,
  type SwapTerms,
} from '../../domain/swap/swap.ts'
import { toWalletError, WalletError } from '../../errors.ts'
import type { DappsApi, ReviewRequest, SwapsApi } from '../../protocol.ts'
import { type Clock, createTimer } from '../clock.ts'
import { randomId } from '../randomId.ts'
import { retryOnWorkerRestart } from '../retryOnWorkerRestart.ts'

/**
 * What a review is asked for. `request` is the approval that it answers, when a page asked for the swap: what the form was filled with to
 * sell for an amount to buy, and what the page wants received at the least. `atLeast` is the highest of that and what the user was shown:
 * by the form, or else by the first review, so that a fresh one never says less. `impactBps` is the form's, for a review that knows none.
 */
export type Plan = Omit<ReviewRequest, 'id' | 'unattended'> & {
  impactBps?: number
  request?: { id: string; filled?: bigint; floor?: bigint }
}

/** Risks accepted one by one: a loss against the market price, items that leave with the sold token. */
export type Accepted = Pick<SwapIntent, 'acceptedLossBps' | 'acceptedCompanions'>

export type SwapStage =
  | { at: 'form' }
  /** The review is being made. `id` is the intent's from here on: every retry carries it. */
  | { at: 'preparing'; id: string; plan: Plan }
  | { at: 'unprepared'; plan: Plan; error: WalletError }
  /** Its verdict is the newest. */
  | { at: 'review'; id: string; plan: Plan; review: Review }
  | { at: 'confirming'; intent: SwapIntent; plan: Plan; review: Review }
  /** The worker did not take the intent: nothing was signed for it, or it will say so when asked again. */
  | { at: 'refused'; intent: SwapIntent; plan: Plan; review: Review; error: WalletError }
  | { at: 'progress'; id: string }

/** `swaps` is all the worker knows, the newest first. */
export type SwapState = { stage: SwapStage; swaps: Swap[] }

const lookEveryMs = 2_000

// Older numbers are not signed.
const reviewHoldsForMs = (chainId: number) => (chainId === 1 ? 30_000 : 15_000)

// Each block may change what the node says of the reviewed transactions.
const recheckEveryMs = (chainId: number) => (chainId === 1 ? 4_000 : 2_000)

const restAfterMs = 5 * 60_000

/** The way from the form to a mined swap. */
export function createSwap(
  wallet: SwapsApi & Pick<DappsApi, 'approve'>,
  clock: Clock,
  newId: () => string = randomId,
) {
  const store = createStore<SwapState>()(() => ({ stage: { at: 'form' }, swaps: [] }))
  const enter = (stage: SwapStage) => store.setState({ stage })
  const isAt = (stage: SwapStage) => store.getState().stage === stage
  const looking = createTimer(clock)
  const aging = createTimer(clock)
  const rechecking = createTimer(clock)
  let hidden = false
  let touchedAt = clock.now()
  let askedAt = touchedAt
  /** When the review on the screen is too old to sign. */
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
    // The browser may stop a worker that waits for a block. Asking starts it again, and it goes on where it was.
    if (swaps.some(isWorking)) looking.set(lookEveryMs, () => void look())
    else looking.stop()
  }

  async function look(): Promise<void> {
    know(await wallet.swaps().catch(() => store.getState().swaps))
  }

  /** What the worker remembers. */
  async function learn(): Promise<void> {
    know(await wallet.swaps())
  }

  /** The same, and a swap under way is shown at once: its popup was closed. */
  async function load(): Promise<void> {
    await learn()
    const open = store.getState().swaps.find((one) => !isFinal(one))
    if (open !== undefined && store.getState().stage.at === 'form') {
      enter({ at: 'progress', id: open.intent.id })
    }
  }

  async function prepare(asked: Plan): Promise<void> {
    const id = newId()
    const preparing: SwapStage = { at: 'preparing', id, plan: asked }
    enter(preparing)
    try {
      const { request: _request, impactBps: _impact, ...ask } = asked
      const isAttended = touchedAt >= askedAt
      askedAt = clock.now()
      const made = await wallet.review({ ...ask, id, ...(!isAttended && { unattended: true }) })
      if (!isAt(preparing)) return
      const review = knowing(made, asked.impactBps)
      // A number that could not be accepted binds nobody.
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

  /** Nothing was handed over yet, so fresh numbers are a new review: as long as somebody is here to read them. */
  function renew(plan: Plan): void {
    if (hidden) return
    if (clock.now() - touchedAt < restAfterMs) return void prepare(plan)
    const error = new WalletError('stale-review', 'Nobody was here for a while: the numbers are old.')
    enter({ at: 'unprepared', plan, error })
  }

  /** The review that this one is, while it is on the screen. */
  function reviewOf(id: string): Extract<SwapStage, { at: 'review' }> | undefined {
    const { stage } = store.getState()
    return stage.at === 'review' && stage.id === id ? stage : undefined
  }

  function recheckLater(id: string, plan: Plan): void {
    rechecking.set(recheckEveryMs(plan.trade.chainId), () => !hidden && reviewOf(id) && recheck(id, plan))
  }

  /** The reviewed transactions once more on what is now the newest block. A worker that stopped knows of no review. */
  async function recheck(id: string, plan: Plan): Promise<void> {
    // A node that is silent for a moment says nothing new; the review ages in any case.
    const verdict = await wallet.resimulate(id).catch(() => reviewOf(id)?.review.verdict)
    const stage = reviewOf(id)
    if (stage === undefined) return
    if (verdict === undefined) return prepare(plan)
    // Each answer is another object: only news is drawn.
    if (encode(verdict) !== encode(stage.review.verdict))
      enter({ ...stage, review: { ...stage.review, verdict } })
    recheckLater(id, plan)
  }

  /** Hands the intent over, as the answer to the page's request where there is one. Twice with one id is once. */
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
    /** Somebody is here. */
    touch,

    /** Nothing is asked for a review that nobody sees; it goes on when somebody looks again. */
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

    /** Reviews the same again with another permission, or at another speed. */
    async change(terms: Pick<SwapTerms, 'permission' | 'speed'>): Promise<void> {
      const { stage } = store.getState()
      if ('plan' in stage && !('intent' in stage)) await prepare({ ...stage.plan, ...terms })
    },

    /**
     * Accepts the numbers on the screen, unless they are too old to sign, and what the user agreed to beside them. From the `refused`
     * stage: the same intent once more.
     */
    async confirm(accepted: Accepted = {}): Promise<void> {
      const { stage } = store.getState()
      if (stage.at !== 'review' && stage.at !== 'refused') return
      const { plan, review } = stage
      if (stage.at === 'review') {
        if (!isSignable(review)) return
        // The timer may be late, after a machine slept.
        if (isAged()) {
          touch()
          return prepare(plan)
        }
      }
      const intent = stage.at === 'refused' ? stage.intent : toIntent(stage.id, plan, review, accepted)
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
    /** Back to the form. A swap under way goes on. */
    leave(): void {
      const { stage } = store.getState()
      enter({ at: 'form' })
      // The worker stopped without an answer: it may have taken the intent after all.
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

/** What was chosen and what was shown, with the permission as the review resolved it. */
export function toIntent(id: string, plan: Plan, review: Review, accepted: Accepted = {}): SwapIntent {
  const { request: _q, atLeast: _l, isAccepted: _a, impactBps: _i, permission: _p, ...chosen } = plan
  const { quote, floor, router, feeCap, permission, networkFee, networkFeeWorth, impactBps } = review
  const sources = sourcesOf(quote.route)
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
      networkFee,
      ...(networkFeeWorth !== undefined && { networkFeeWorth }),
      ...(impactBps !== undefined && { impactBps }),
      ...(sources.length > 0 && { sources }),
    },
  }
}

/** So many are kept of a route, and no name that is longer: the service writes what it likes. */
const mostSources = { count: 20, length: 40 }

function sourcesOf(route: Route): string[] {
  const names = route.flatMap(({ hops }) => hops.flatMap(({ sources }) => sources.map(({ name }) => name)))
  return [...new Set(names)].slice(0, mostSources.count).map((name) => name.slice(0, mostSources.length))
}

function isSame(one: Swap, other: Swap): boolean {
  return one.intent.id === other.intent.id
}

function newestFirst(swaps: Swap[]): Swap[] {
  return [...swaps].sort((one, other) => other.createdAt - one.createdAt)
}
