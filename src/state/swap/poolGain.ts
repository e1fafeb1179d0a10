import { createStore } from 'zustand/vanilla'
import type { Network } from '../../domain/network/network.ts'
import { getSwapSource } from '../../domain/network/swapSource.ts'
import { type Quote, quoteKey } from '../../domain/swap/quote.ts'
import { toFlowBands } from '../../domain/swap/routeFlow.ts'
import { toShownRoute } from '../../domain/swap/shownRoute.ts'
import type { QuotesApi } from '../../protocol.ts'
import { type Clock, createTimer } from '../clock.ts'
import { randomId } from '../randomId.ts'
import type { QuoteState } from './quote.ts'

/** By how much the quote returns more than the best single pool, in base units; undefined if unknown. */
export type PoolGainState = { gain: bigint | undefined }

/** The comparison is repeated for the same trade after this time. */
const everyMs = 30_000

/** Smallest gain shown, in basis points. */
const minGainBps = 1n

/** The user may be typing until a trade stands for this time. */
const settleMs = 4_000

/** Creates the comparison of a split route by the swap service with its best single pool. */
export function createPoolGain(wallet: Pick<QuotesApi, 'quote' | 'dropQuote'>, clock: Clock) {
  const store = createStore<PoolGainState>()(() => ({ gain: undefined }))
  const view = randomId()
  const settling = createTimer(clock)
  /** Only the newest request counts. */
  let question = 0
  let isAsking = false
  let compared: { key: string; dueAt: number; state: Ready } | undefined

  function clear(): void {
    question += 1
    compared = undefined
    settling.stop()
    if (isAsking) wallet.dropQuote(view).catch(() => undefined)
    isAsking = false
    if (store.getState().gain !== undefined) store.setState({ gain: undefined })
  }

  async function compare(wrapped: Network['wrapped']): Promise<void> {
    if (compared === undefined) return
    compared.dueAt = clock.now() + everyMs
    const { want, quote } = compared.state
    question += 1
    const mine = question
    const { trade, returns } = quote
    const options = { ...want.options, complexityLevel: 0, parts: 1, mainRouteParts: 1 }
    isAsking = true
    const single = await wallet.quote({ trade, options, isComparison: true }, view).catch(() => undefined)
    if (mine !== question) return
    isAsking = false
    // A service may ignore the limits.
    const isOne = single !== undefined && countBands(single, wrapped) === 1
    const gain = isOne ? returns - single.returns : 0n
    store.setState({ gain: gain > 0n && gain * 10_000n >= returns * minGainBps ? gain : undefined })
  }

  return {
    ...store,

    /** Called on each change of the quote in use. */
    follow(state: QuoteState, network: Network): void {
      if (state.status !== 'ready' || !isCompared(state, network)) {
        clear()
        return
      }
      const { want, quote } = state
      const key = quoteKey({ ...quote.trade, ...(want.options && { options: want.options }) })
      if (compared?.key === key) {
        compared.state = state
        if (clock.now() >= compared.dueAt) compare(network.wrapped)
        return
      }
      clear()
      compared = { key, dueAt: Number.POSITIVE_INFINITY, state }
      settling.set(settleMs, () => compare(network.wrapped))
    },
    /** Called when the quote leaves the screen. */
    leave: clear,
  }
}

/** Other sources know no limits. */
function isCompared({ want, quote }: Ready, network: Network): boolean {
  return countBands(quote, network.wrapped) > 1 && getSwapSource(network, want.options?.source) === 'service'
}

function countBands({ route, trade }: Quote, wrapped: Network['wrapped']): number {
  return toFlowBands(toShownRoute(route, trade, wrapped)).length
}

type Ready = Extract<QuoteState, { status: 'ready' }>
