import { createStore } from 'zustand/vanilla'
import type { MarketReturns } from '../../domain/swap/market.ts'
import { type Quote, type QuoteIntent, quoteKey, type Trade } from '../../domain/swap/quote.ts'
import { roundUpToDigits } from '../../domain/token/significantDigits.ts'
import { type ErrorCode, toWalletError, WalletError } from '../../errors.ts'
import type { QuotesApi } from '../../protocol.ts'
import { type Clock, createTimer } from '../clock.ts'
import { randomId } from '../randomId.ts'

/** Times are in `clock` milliseconds. */
export type QuoteState =
  | { status: 'idle' }
  /** `isAsked`: false while debouncing. */
  | { status: 'loading'; want: QuoteIntent; isAsked: boolean }
  | {
      status: 'ready'
      want: QuoteIntent
      trade: Trade
      quote: Quote
      /** Undefined until read. */
      impactBps: number | 'unknown' | undefined
      /** From sources other than the service. */
      market: MarketReturns | undefined
      askedAt: number
      /** Undefined while refreshing. */
      nextAt: number | undefined
      trouble: WalletError | undefined
    }
  /** `retryAt`: time of the next or running retry. */
  | { status: 'failed'; want: QuoteIntent; error: WalletError; retryAt: number | undefined }
  /** Inactive user; `refresh` resumes. */
  | { status: 'resting'; want: QuoteIntent }

export type QuoteOptions = {
  clock: Clock
  everyMs(chainId: number): number
  /** Jitter, 0 to 1. */
  random(): number
}

const debounceMs = 250
const discardAfterMs = 60_000
const restAfterMs = 5 * 60_000
const firstRetryMs = 2_000
const maxRetryMs = 30_000

/** Creates the quote store, polled while visible. */
export function createQuote(
  wallet: Pick<QuotesApi, 'quote' | 'priceImpact' | 'marketReturns' | 'findSellAmount'>,
  { clock, everyMs, random }: QuoteOptions,
) {
  const store = createStore<QuoteState>()(() => ({ status: 'idle' }))
  const show = (state: QuoteState) => store.setState(state, true)
  const asking = createTimer(clock)
  const discarding = createTimer(clock)
  const view = randomId()
  const priceOf = toCreatePrice(wallet, clock, view)

  let want: QuoteIntent | undefined
  /** Only the newest request counts. */
  let question = 0
  let failures = 0
  let dueAt: number | undefined
  let touchedAt = clock.now()
  let hidden = false
  let reviewing = false

  /** Waits longer while hidden or reviewing. */
  function schedule(ms: number): number {
    dueAt = clock.now() + ms
    if (!hidden && !reviewing) asking.set(ms, ask)
    return dueAt
  }

  function goOn(): void {
    if (dueAt !== undefined) schedule(Math.max(0, dueAt - clock.now()))
  }

  async function ask(): Promise<void> {
    if (want === undefined) return
    if (clock.now() - touchedAt >= restAfterMs) return rest(want)
    const asked = want
    question += 1
    const mine = question
    dueAt = undefined
    const before = store.getState()
    if (before.status === 'ready') show({ ...before, nextAt: undefined })
    // Keep the error during a retry, or it flickers.
    else if (before.status === 'failed') show({ ...before, retryAt: clock.now() })
    else show({ status: 'loading', want: asked, isAsked: true })
    try {
      const { quote, askedAt } = await priceOf(asked, () => mine === question)
      if (mine !== question) return
      failures = 0
      discarding.set(askedAt + discardAfterMs - clock.now(), discardIfOld)
      const nextAt = schedule(everyMs(asked.chainId))
      // Keep the last impact meanwhile.
      const latest = store.getState()
      const impactBps = latest.status === 'ready' ? latest.impactBps : undefined
      const isSame = latest.status === 'ready' && latest.trade.amount === quote.trade.amount
      const market = isSame ? latest.market : undefined
      const { trade } = quote
      const price = { trade, quote, impactBps, market }
      show({ status: 'ready', want: asked, ...price, askedAt, nextAt, trouble: undefined })
      weigh(asked, quote)
    } catch (cause) {
      if (mine === question) fail(asked, toWalletError(cause))
    }
  }

  function weigh({ options }: QuoteIntent, quote: Quote): void {
    const { trade, returns } = quote
    const ask = options === undefined ? { trade } : { trade, options }
    const add = (known: { impactBps: number | 'unknown' } | { market: MarketReturns | undefined }) => {
      const state = store.getState()
      // Still on screen during a refresh.
      if (state.status === 'ready' && state.quote === quote) show({ ...state, ...known })
    }
    const impact = wallet.priceImpact(ask, returns, view).catch(() => undefined)
    impact.then((impactBps) => add({ impactBps: impactBps ?? 'unknown' }))
    const market = wallet.marketReturns(ask).catch(() => undefined)
    market.then((market) => add({ market }))
  }

  function fail(asked: QuoteIntent, error: WalletError): void {
    failures += 1
    const retryAt = mayPass(error.code) ? schedule(pause(error)) : undefined
    const before = store.getState()
    // A quote under a minute old stays beside the error.
    if (before.status === 'ready' && retryAt !== undefined) {
      show({ ...before, nextAt: retryAt, trouble: error })
    } else {
      discarding.stop()
      show({ status: 'failed', want: asked, error, retryAt })
    }
  }

  function pause({ facts }: WalletError): number {
    const doubling = Math.min(maxRetryMs, firstRetryMs * 2 ** (failures - 1))
    const asked = Number(facts.retryAfterMs ?? 0) || 0
    return Math.round(Math.max(doubling * (0.75 + random() / 4), asked + random() * 500))
  }

  /** A quote under review does not expire. */
  function discardIfOld(): void {
    const state = store.getState()
    if (state.status !== 'ready' || reviewing || clock.now() - state.askedAt < discardAfterMs) return
    const { want, trouble: error, nextAt, nextAt: retryAt = clock.now() } = state
    show(
      error === undefined
        ? { status: 'loading', want, isAsked: nextAt === undefined }
        : { status: 'failed', want, error, retryAt },
    )
  }

  function rest(want: QuoteIntent): void {
    discarding.stop()
    dueAt = undefined
    show({ status: 'resting', want })
  }

  function touch(): void {
    touchedAt = clock.now()
  }

  return {
    ...store,
    touch,

    /** Replaces the watched trade; undefined stops. */
    watch(next: QuoteIntent | undefined): void {
      if (want === next || (want && next && quoteKey(want) === quoteKey(next))) return
      want = next
      question += 1
      failures = 0
      dueAt = undefined
      asking.stop()
      discarding.stop()
      touch()
      if (next === undefined) {
        show({ status: 'idle' })
      } else {
        show({ status: 'loading', want: next, isAsked: false })
        schedule(debounceMs)
      }
    },

    refresh(): void {
      touch()
      if (want !== undefined) schedule(0)
    },

    setOnline(now: boolean): void {
      if (now && want !== undefined) schedule(0)
    },

    setHidden(now: boolean): void {
      hidden = now
      if (hidden) asking.stop()
      else goOn()
    },

    /** Pauses during a review. */
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

type Price = { quote: Quote; askedAt: number }

/** A buy amount reuses the sell amount found while it fits. */
function toCreatePrice(wallet: Pick<QuotesApi, 'quote' | 'findSellAmount'>, clock: Clock, view: string) {
  let found: { want: QuoteIntent; amount: bigint; returns: bigint } | undefined

  async function priceAt({ chainId, sell, buy, options }: QuoteIntent, amount: bigint): Promise<Price> {
    const askedAt = clock.now()
    const trade = { chainId, sell, buy, amount }
    return {
      askedAt,
      quote: await wallet.quote(options === undefined ? { trade } : { trade, options }, view),
    }
  }

  return async (want: QuoteIntent, isWanted: () => boolean): Promise<Price> => {
    if ('amount' in want) return priceAt(want, want.amount)
    if (found?.want === want) {
      const price = await priceAt(want, found.amount)
      const { returns } = price.quote
      if (!isWanted() || (returns >= want.returns && returns * 1_000n <= found.returns * 1_001n)) return price
    }
    // Readable and sufficient.
    const amount = roundUpToDigits(await wallet.findSellAmount(want, view), 6)
    if (!isWanted()) throw new WalletError('aborted', 'Something else is wanted by now.')
    found = { want, amount, returns: want.returns }
    const price = await priceAt(want, amount)
    // Stepwise returns exceed the target.
    found.returns = price.quote.returns
    return price
  }
}

/** True for errors of the service, the RPC of direct swaps, or the connection. */
function mayPass(code: ErrorCode): boolean {
  return retried.has(code)
}

const retried: ReadonlySet<ErrorCode> = new Set([
  'service-busy',
  'service-failed',
  'service-unreachable',
  'service-timeout',
  'service-garbled',
  'node-unreachable',
  'node-timeout',
  'node-refused',
  'worker-stopped',
  'aborted',
])
