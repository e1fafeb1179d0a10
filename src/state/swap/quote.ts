import { createStore } from 'zustand/vanilla'
import type { MarketReturns } from '../../domain/swap/market.ts'
import { type Quote, type QuoteIntent, quoteKey, type Trade } from '../../domain/swap/quote.ts'
import { roundUpToDigits } from '../../domain/token/significantDigits.ts'
import { type ErrorCode, toWalletError, WalletError } from '../../errors.ts'
import type { QuotesApi } from '../../protocol.ts'
import { type Clock, createTimer } from '../clock.ts'
import { randomId } from '../randomId.ts'

/** Times are the clock's. */
export type QuoteState =
  | { status: 'idle' }
  /** `isAsked` once it was sent for. */
  | { status: 'loading'; want: QuoteIntent; isAsked: boolean }
  | {
      status: 'ready'
      want: QuoteIntent
      /** What is priced: for an amount to receive, with the amount that was found for it. */
      trade: Trade
      quote: Quote
      /** How much worse than the middle price, in basis points; `unknown` where nobody can say, undefined while nobody said yet. */
      impactBps: number | 'unknown' | undefined
      /** What the trade would return at the market's price; undefined where, or as long as, nobody but the service said one. */
      market: MarketReturns | undefined
      /** When the answer on the screen was asked for. */
      askedAt: number
      /** When it will be asked again; `undefined` while that is under way. */
      nextAt: number | undefined
      /** Why the last refresh failed. */
      trouble: WalletError | undefined
    }
  /** `retryAt` is when it is asked again, or since when that goes on. */
  | { status: 'failed'; want: QuoteIntent; error: WalletError; retryAt: number | undefined }
  /** Nobody touched the wallet for a while: `refresh` goes on. */
  | { status: 'resting'; want: QuoteIntent }

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

/** The price of what is wanted, kept fresh while somebody looks at it. A late answer to an old question never shows. */
export function createQuote(
  wallet: Pick<QuotesApi, 'quote' | 'priceImpact' | 'marketReturns' | 'findSellAmount'>,
  { clock, everyMs, random }: QuoteOptions,
) {
  const store = createStore<QuoteState>()(() => ({ status: 'idle' }))
  const show = (state: QuoteState) => store.setState(state, true)
  const asking = createTimer(clock)
  const discarding = createTimer(clock)
  const view = randomId()
  const priceOf = createPriceOf(wallet, clock, view)

  let want: QuoteIntent | undefined
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
    if (want === undefined) return
    if (clock.now() - touchedAt >= restAfterMs) return rest(want)
    const asked = want
    question += 1
    const mine = question
    dueAt = undefined
    const before = store.getState()
    if (before.status === 'ready') show({ ...before, nextAt: undefined })
    // What went wrong stands until there is an answer: nothing comes and goes with each try.
    else if (before.status === 'failed') show({ ...before, retryAt: clock.now() })
    else show({ status: 'loading', want: asked, isAsked: true })
    try {
      const { quote, askedAt } = await priceOf(asked, () => mine === question)
      if (mine !== question) return
      failures = 0
      discarding.set(askedAt + discardAfterMs - clock.now(), discardIfOld)
      const nextAt = schedule(everyMs(asked.chainId))
      // The impact of a moment ago stands until the new one is known.
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

  /** What the way back would lose, and what the market says, for the price on the screen: each as soon as it is known. */
  function weigh({ options }: QuoteIntent, quote: Quote): void {
    const { trade, returns } = quote
    const ask = options === undefined ? { trade } : { trade, options }
    const add = (known: { impactBps: number | 'unknown' } | { market: MarketReturns | undefined }) => {
      const state = store.getState()
      // While the price is asked anew, the one that it belongs to is still on the screen.
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
    // A price that is not a minute old is better than none, as long as the trouble is said.
    if (before.status === 'ready' && retryAt !== undefined) {
      show({ ...before, nextAt: retryAt, trouble: error })
    } else {
      discarding.stop()
      show({ status: 'failed', want: asked, error, retryAt })
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
    /** Somebody is here. */
    touch,

    /** Follows this from now on; the price of anything else is gone at once. `undefined` follows nothing. */
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

    /** Asks now. */
    refresh(): void {
      touch()
      if (want !== undefined) schedule(0)
    },

    /** The browser found the network again: whatever failed meanwhile is asked at once. */
    setOnline(now: boolean): void {
      if (now && want !== undefined) schedule(0)
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

type Price = { quote: Quote; askedAt: number }

/** Asks for the price of a want. For an amount to receive it finds the amount to sell first, and keeps to that while it fits. */
function createPriceOf(wallet: Pick<QuotesApi, 'quote' | 'findSellAmount'>, clock: Clock, view: string) {
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
    // A number that can be read, and is enough.
    const amount = roundUpToDigits(await wallet.findSellAmount(want, view), 6)
    if (!isWanted()) throw new WalletError('aborted', 'Something else is wanted by now.')
    found = { want, amount, returns: want.returns }
    const price = await priceAt(want, amount)
    // What comes in steps, or of few units, is above what was wanted from the start.
    found.returns = price.quote.returns
    return price
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
