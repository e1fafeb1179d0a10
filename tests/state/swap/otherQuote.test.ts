import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Network } from '../../../src/domain/network/network.ts'
import type { Quote, QuoteRequest } from '../../../src/domain/swap/quote.ts'
import type { SwapSource } from '../../../src/domain/swap/routeOptions.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import { systemClock } from '../../../src/state/clock.ts'
import { createOtherQuote } from '../../../src/state/swap/otherQuote.ts'
import type { QuoteState } from '../../../src/state/swap/quote.ts'
import { local } from '../../helpers/state/fakes.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const usdc: Address = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
const weth: Address = '0x4200000000000000000000000000000000000006'
const base: Network = {
  ...local,
  chainId: 8453,
  wrapped: weth,
  serviceUrl: 'https://service.example',
  rpcUrl: 'https://rpc.example',
}

const want = { chainId: 8453, sell: nativeTokenAddress, buy: usdc, amount: 5n }
const toQuote = (amount: bigint, returns: bigint): Quote => ({
  trade: { ...want, amount },
  returns,
  gas: 1n,
  route: [],
})

function ready(quote: Quote, source?: SwapSource): QuoteState {
  return {
    status: 'ready',
    want: { ...want, amount: quote.trade.amount, ...(source && { options: { source } }) },
    trade: quote.trade,
    quote,
    impactBps: undefined,
    market: undefined,
    askedAt: 0,
    nextAt: 0,
    trouble: undefined,
  }
}

function createStage(
  answer: (ask: QuoteRequest) => Promise<Quote> = async ({ trade }) => toQuote(trade.amount, 90n),
) {
  const asked: QuoteRequest[] = []
  let network = base
  const { getState, follow } = createOtherQuote(
    {
      quote(ask) {
        asked.push(ask)
        return answer(ask)
      },
    },
    systemClock(),
  )
  const optionsFor = (source: SwapSource) => (source === 'direct' ? { source } : { parts: 7 })
  return {
    store: { follow: (state: QuoteState) => follow(state, { network, optionsFor }) },
    asked,
    shown: getState,
    setNetwork: (changes: Partial<Network>) => {
      network = { ...base, ...changes }
    },
  }
}

const settled = () => vi.advanceTimersByTimeAsync(0)

describe('createOtherQuote', () => {
  it('asks direct swaps once for each quote of the service, with the same amount', async () => {
    const { store, asked, shown } = createStage()
    const quote = toQuote(5n, 80n)
    store.follow(ready(quote))
    store.follow({ ...ready(quote), impactBps: 3 } as QuoteState)
    await settled()
    expect(asked).toEqual([{ trade: want, options: { source: 'direct' } }])
    expect(shown()).toEqual({ source: 'direct', quote: toQuote(5n, 90n) })
    store.follow(ready(toQuote(5n, 81n)))
    expect(shown().quote).toBeDefined()
    await settled()
    expect(asked).toHaveLength(2)
  })

  it('asks the service with its own options while direct swaps are in use', async () => {
    const { store, asked, shown } = createStage()
    store.follow(ready(toQuote(5n, 80n), 'direct'))
    await settled()
    expect(asked).toEqual([{ trade: want, options: { parts: 7 } }])
    expect(shown().source).toBe('service')
  })

  it('offers direct swaps when the service fails, or is silent for three seconds', async () => {
    const failing = createStage()
    const error = new WalletError('service-failed', 'Down.')
    failing.store.follow({ status: 'failed', want, error, retryAt: 5 })
    failing.store.follow({ status: 'failed', want, error, retryAt: 9 })
    await settled()
    expect(failing.asked).toHaveLength(1)
    expect(failing.shown().quote?.returns).toBe(90n)

    const silent = createStage()
    silent.store.follow({ status: 'loading', want, isAsked: false })
    silent.store.follow({ status: 'loading', want, isAsked: true })
    await vi.advanceTimersByTimeAsync(2_999)
    expect(silent.asked).toHaveLength(0)
    await vi.advanceTimersByTimeAsync(1)
    expect(silent.shown().quote?.returns).toBe(90n)
  })

  it('forgets the comparison when another trade is wanted, and late answers with it', async () => {
    let answer: (quote: Quote) => void = () => undefined
    const { store, shown } = createStage(() => new Promise((resolve) => (answer = resolve)))
    store.follow(ready(toQuote(5n, 80n)))
    const late = answer
    store.follow({ status: 'loading', want: { ...want, amount: 6n }, isAsked: false })
    late(toQuote(5n, 90n))
    await settled()
    expect(shown().quote).toBeUndefined()
  })

  it('compares nothing without a service, without Uniswap, for a wrap, or when the other source fails', async () => {
    const { store, asked, setNetwork, shown } = createStage(() => Promise.reject(new Error('No route.')))
    setNetwork({ serviceUrl: '' })
    store.follow(ready(toQuote(5n, 80n)))
    setNetwork({ chainId: 100 })
    store.follow(ready(toQuote(5n, 80n)))
    setNetwork({})
    store.follow({
      status: 'failed',
      want: { ...want, buy: weth },
      error: new WalletError('internal', ''),
      retryAt: 1,
    })
    store.follow({ status: 'idle' })
    await settled()
    expect(asked).toHaveLength(0)
    store.follow(ready(toQuote(5n, 80n)))
    await settled()
    expect(asked).toHaveLength(1)
    expect(shown().quote).toBeUndefined()
  })
})
