import { createStore } from 'zustand/vanilla'
import { isSameTrade, type Quote, type Trade } from '../domain/trade.ts'
import { type ErrorCode, toWalletError, type WalletError } from '../errors.ts'
import type { Wallet } from '../protocol.ts'
import { type Clock, createTimer } from './clock.ts'
import { randomId } from './randomId.ts'

/** Times are the clock's. */
export type QuoteState =
  | { status: 'idle' }
  | { status: 'loading'; trade: Trade }
  | {
      status: 'ready'
      trade: Trade
      quote: Quote
      /** When the answer on the screen was asked for. */
      askedAt: number
      /** When it will be asked again; `undefined` while that is under way. */
      nextAt: number | undefined
      /** Why the last refresh failed. */
      trouble: WalletError | undefined
    }
  | { status: 'failed'; trade: Trade; error: WalletError; retryAt: number | undefined }
  /** Nobody touched the wallet for a while: `refresh` goes on. */
  | { status: 'resting'; trade: Trade }

export type QuoteOptions = {
  clock: Clock
  /** How often a quote of this chain is renewed. */
  everyMs(chainId: number): number
  /** 0 to 1, spreads the retries of many wallets. */
  random(): number
}

// The figures of polling.
const debounceMs = 250
const discardAfterMs = 60_000
const restAfterMs = 5 * 60_000
const firstRetryMs = 2_000
const longestRetryMs = 30_000

/** The price of one trade, kept fresh while somebody looks at it. A late answer to an old question never shows. */
export function createQuote(wallet: Pick<Wallet, 'quote'>, { clock, everyMs, random }: QuoteOptions) {
  const store = createStore<QuoteState>()(() => ({ status: 'idle' }))
  const show = (state: QuoteState) => store.setState(state, true)
  const asking = createTimer(clock)
  const discarding = createTimer(clock)
  const view = randomId()

  let trade: Trade | undefined
  /** The newest question. An answer to any other is dropped. */
  let question = 0
  let failures = 0
  let dueAt: number | undefined
  let touchedAt = clock.now()
  let hidden = false
  let reviewing = false

  /** Asks in `ms`, or as soon as somebody looks again after that. */
  function schedule(ms: number): number {
    dueAt = clock.now() + ms
    if (!hidden && !reviewing) asking.set(ms, ask)
    return dueAt
  }

  function goOn(): void {
    if (dueAt !== undefined) schedule(Math.max(0, dueAt - clock.now()))
  }

  async function ask(): Promise<void> {
    if (trade === undefined) return
    if (clock.now() - touchedAt >= restAfterMs) return rest(trade)
    const asked = trade
    const askedAt = clock.now()
    question += 1
    const mine = question
    dueAt = undefined
    const before = store.getState()
    show(before.status === 'ready' ? { ...before, nextAt: undefined } : { status: 'loading', trade: asked })
    try {
      const quote = await wallet.quote(asked, view)
      if (mine !== question) return
      failures = 0
      discarding.set(askedAt + discardAfterMs - clock.now(), discardIfOld)
      const nextAt = schedule(everyMs(asked.chainId))
      show({ status: 'ready', trade: asked, quote, askedAt, nextAt, trouble: undefined })
    } catch (cause) {
      if (mine === question) fail(asked, toWalletError(cause))
    }
  }

  function fail(asked: Trade, error: WalletError): void {
    failures += 1
    const retryAt = mayPass(error.code) ? schedule(pause(error)) : undefined
    const before = store.getState()
    // A price that is not a minute old is better than none, as long as the trouble is said.
    if (before.status === 'ready' && retryAt !== undefined) {
      show({ ...before, nextAt: retryAt, trouble: error })
    } else {
      discarding.stop()
      show({ status: 'failed', trade: asked, error, retryAt })
    }
  }

  function pause({ facts }: WalletError): number {
    const doubling = Math.min(longestRetryMs, firstRetryMs * 2 ** (failures - 1))
    const asked = Number(facts.retryAfterMs ?? 0) || 0
    return Math.round(Math.max(doubling * (0.75 + random() / 4), asked + random() * 500))
  }

  /** A price older than a minute is none. The one under review is kept until that is over. */
  function discardIfOld(): void {
    const state = store.getState()
    if (state.status !== 'ready' || reviewing || clock.now() - state.askedAt < discardAfterMs) return
    const { trade, trouble: error, nextAt: retryAt } = state
    show(error === undefined ? { status: 'loading', trade } : { status: 'failed', trade, error, retryAt })
  }

  function rest(trade: Trade): void {
    discarding.stop()
    dueAt = undefined
    show({ status: 'resting', trade })
  }

  function touch(): void {
    touchedAt = clock.now()
  }

  return {
    ...store,
    /** Somebody is here. */
    touch,

    /** Follows this trade from now on; the price of another one is gone at once. `undefined` follows none. */
    watch(next: Trade | undefined): void {
      if (trade === next || (trade && next && isSameTrade(trade, next))) return
      trade = next
      question += 1
      failures = 0
      dueAt = undefined
      asking.stop()
      discarding.stop()
      touch()
      if (next === undefined) {
        show({ status: 'idle' })
      } else {
        show({ status: 'loading', trade: next })
        schedule(debounceMs)
      }
    },

    /** Asks now. */
    refresh(): void {
      touch()
      if (trade !== undefined) schedule(0)
    },

    setHidden(now: boolean): void {
      hidden = now
      if (hidden) asking.stop()
      else goOn()
    },

    /** While somebody reads the review nothing moves; afterwards the price is asked anew. */
    setReviewing(now: boolean): void {
      if (reviewing === now) return
      reviewing = now
      if (reviewing) {
        asking.stop()
      } else {
        touch()
        discardIfOld()
        goOn()
      }
    },
  }
}

/** Whether asking the same again may help: the service or the way to it was at fault, not the question. */
function mayPass(code: ErrorCode): boolean {
  return retried.has(code)
}

const retried: ReadonlySet<ErrorCode> = new Set([
  'service-busy',
  'service-failed',
  'service-unreachable',
  'service-timeout',
  'service-garbled',
  'worker-stopped',
  'aborted',
])
