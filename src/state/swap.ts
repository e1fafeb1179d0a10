import { createStore } from 'zustand/vanilla'
import type { Review, Swap, SwapIntent } from '../domain/swap.ts'
import { toWalletError, type WalletError } from '../errors.ts'
import type { ReviewAsk, Wallet } from '../protocol.ts'
import { type Clock, createTimer } from './clock.ts'
import { insist } from './insist.ts'
import { randomId } from './randomId.ts'

/**
 * What a review is asked for. `request` is the approval that it answers, when a page asked for the swap, and what the form was filled
 * with to sell for an amount to buy.
 */
export type Plan = ReviewAsk & { request?: { id: string; filled?: bigint } }

export type SwapStage =
  | { at: 'form' }
  /** The review is being made. `id` is the intent's from here on: every retry carries it. */
  | { at: 'preparing'; id: string; plan: Plan }
  | { at: 'unprepared'; plan: Plan; error: WalletError }
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

/** The way from the form to a mined swap. */
export function createSwap(wallet: Wallet, clock: Clock, newId: () => string = randomId) {
  const store = createStore<SwapState>()(() => ({ stage: { at: 'form' }, swaps: [] }))
  const enter = (stage: SwapStage) => store.setState({ stage })
  const isAt = (stage: SwapStage) => store.getState().stage === stage
  const looking = createTimer(clock)
  const aging = createTimer(clock)

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
    const open = store.getState().swaps.find(isOpen)
    if (open !== undefined && store.getState().stage.at === 'form') {
      enter({ at: 'progress', id: open.intent.id })
    }
  }

  async function prepare(plan: Plan): Promise<void> {
    const preparing: SwapStage = { at: 'preparing', id: newId(), plan }
    enter(preparing)
    try {
      const { request: _, ...ask } = plan
      const review = await wallet.review(ask)
      if (!isAt(preparing)) return
      const ready: SwapStage = { at: 'review', id: preparing.id, plan, review }
      enter(ready)
      // Nothing was handed over yet, so fresh numbers are a new review.
      aging.set(reviewHoldsForMs(plan.trade.chainId), () => isAt(ready) && prepare(plan))
    } catch (error) {
      if (isAt(preparing)) enter({ at: 'unprepared', plan, error: toWalletError(error) })
    }
  }

  /** Hands the intent over, as the answer to the page's request where there is one. Twice with one id is once. */
  async function handOver(intent: SwapIntent, request: Plan['request']): Promise<void> {
    if (request === undefined) return heard(await wallet.swap(intent))
    const { id, ...filled } = request
    await wallet.approve(id, { kind: 'swap', intent, ...filled })
    await learn()
  }

  return {
    ...store,
    heard,
    learn,
    load,
    prepare,

    /** Accepts the numbers on the screen. From the `refused` stage: the same intent once more. */
    async confirm(): Promise<void> {
      const { stage } = store.getState()
      if (stage.at !== 'review' && stage.at !== 'refused') return
      const { plan, review } = stage
      const intent = stage.at === 'refused' ? stage.intent : intentOf(stage.id, plan, review)
      const confirming: SwapStage = { at: 'confirming', intent, plan, review }
      enter(confirming)
      try {
        await insist(clock, () => handOver(intent, plan.request))
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

export function isOpen({ outcome }: Swap): boolean {
  return outcome.status === 'working' || outcome.status === 'needs-unlock'
}

function isWorking({ outcome }: Swap): boolean {
  return outcome.status === 'working'
}

function intentOf(
  id: string,
  { account, trade, slippageBps }: Plan,
  { floor, router, feeCap }: Review,
): SwapIntent {
  return { id, account, trade, slippageBps, floor, router, feeCap }
}

function isSame(one: Swap, other: Swap): boolean {
  return one.intent.id === other.intent.id
}

function newestFirst(swaps: Swap[]): Swap[] {
  return [...swaps].sort((one, other) => other.createdAt - one.createdAt)
}
