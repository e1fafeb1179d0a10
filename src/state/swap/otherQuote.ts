import { createStore } from 'zustand/vanilla'
import type { Network } from '../../domain/network/network.ts'
import { getSwapSource, hasOtherSource } from '../../domain/network/swapSource.ts'
import type { Quote, Trade } from '../../domain/swap/quote.ts'
import type { RouteOptions, SwapSource } from '../../domain/swap/routeOptions.ts'
import { isWrap } from '../../domain/swap/wrap.ts'
import type { QuotesApi } from '../../protocol.ts'
import { type Clock, createTimer } from '../clock.ts'
import { randomId } from '../randomId.ts'
import type { QuoteState } from './quote.ts'

/** Quote of the source that is not in use, for the same trade; undefined while unknown or without a route. */
export type OtherQuoteState = { quote: Quote | undefined; source: SwapSource }

type Context = { network: Network; optionsFor(source: SwapSource): RouteOptions | undefined }

function isCompared(network: Network, pair: Pick<Trade, 'sell' | 'buy'>): boolean {
  return hasOtherSource(network) && !isWrap(pair, network)
}

/** A service that takes longer is compared before it answers. */
const lateMs = 3_000

/**
 * Creates the comparison of swap service and direct swaps, on networks that have both: after each quote, and
 * when the source in use fails or is late.
 */
export function createOtherQuote(wallet: Pick<QuotesApi, 'quote'>, clock: Clock) {
  const store = createStore<OtherQuoteState>()(() => ({ quote: undefined, source: 'direct' }))
  const late = createTimer(clock)
  const view = randomId()
  /** Only the newest request counts. */
  let question = 0
  let seen: unknown

  function clear(): void {
    question += 1
    if (store.getState().quote !== undefined) store.setState({ quote: undefined })
  }

  async function ask(state: Asked, { network, optionsFor }: Context): Promise<void> {
    const { want } = state
    const amount = toAmount(state)
    if (amount === undefined) return clear()
    const source = getSwapSource(network, want.options?.source) === 'direct' ? 'service' : 'direct'
    question += 1
    const mine = question
    const { chainId, sell, buy } = want
    const options = optionsFor(source)
    const trade = { chainId, sell, buy, amount }
    const quote = await wallet.quote(options ? { trade, options } : { trade }, view).catch(() => undefined)
    if (mine === question) store.setState({ quote, source })
  }

  return {
    ...store,

    /** Called on each change of the quote in use. */
    follow(state: QuoteState, context: Context): void {
      const isAsked = state.status === 'ready' || state.status === 'failed' || state.status === 'loading'
      if (!isAsked || !isCompared(context.network, state.want)) {
        late.stop()
        seen = undefined
        clear()
        return
      }
      // One comparison for each quote, error or slow request.
      const cause =
        state.status === 'ready' ? state.quote : state.status === 'failed' ? state.error : state.want
      if (seen === cause) return
      if (!isSameTrade(store.getState().quote, state)) clear()
      if (state.status === 'loading' && !state.isAsked) return
      seen = cause
      late.stop()
      if (state.status === 'loading') late.set(lateMs, () => ask(state, context))
      else ask(state, context)
    },
  }
}

type Asked = Extract<QuoteState, { status: 'ready' | 'failed' | 'loading' }>

function isSameTrade(quote: Quote | undefined, state: Asked): boolean {
  const amount = toAmount(state)
  return (
    quote?.trade.sell === state.want.sell &&
    quote.trade.buy === state.want.buy &&
    quote.trade.amount === amount
  )
}

/** Undefined for an amount to buy whose price is unknown. */
function toAmount(state: Asked): bigint | undefined {
  if (state.status === 'ready') return state.trade.amount
  return 'amount' in state.want ? state.want.amount : undefined
}
