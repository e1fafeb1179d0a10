import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Quote, QuoteRequest, Route } from '../../../src/domain/swap/quote.ts'
import type { RouteOptions } from '../../../src/domain/swap/routeOptions.ts'
import { WalletError } from '../../../src/errors.ts'
import { systemClock } from '../../../src/state/clock.ts'
import { createPoolGain } from '../../../src/state/swap/poolGain.ts'
import type { QuoteState } from '../../../src/state/swap/quote.ts'
import { dai, local, usdc } from '../../helpers/state/fakes.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const trade = { chainId: local.chainId, sell: dai.address, buy: usdc.address, amount: 10n ** 18n }
const through = (...names: string[]): Route => [
  {
    token: dai.address,
    hops: [
      {
        buy: usdc.address,
        share: 100,
        sources: names.map((name) => ({ name, share: 100 / names.length })),
      },
    ],
  },
]
const quoteOf = (returns: bigint, route = through('A', 'B'), amount = trade.amount): Quote => ({
  trade: { ...trade, amount },
  returns,
  gas: 1n,
  route,
})

function ready(quote: Quote, options?: RouteOptions): QuoteState {
  return {
    status: 'ready',
    want: { ...quote.trade, ...(options && { options }) },
    trade: quote.trade,
    quote,
    impactBps: undefined,
    market: undefined,
    askedAt: 0,
    nextAt: 0,
    trouble: undefined,
  }
}

function start(answer: () => Promise<Quote>) {
  const asked: QuoteRequest[] = []
  const dropped: string[] = []
  const store = createPoolGain(
    {
      quote(ask) {
        asked.push(ask)
        return answer()
      },
      dropQuote: async (view) => void dropped.push(view),
    },
    systemClock(),
  )
  return {
    asked,
    dropped,
    leave: store.leave,
    gain: () => store.getState().gain,
    async follow(state: QuoteState, network = local, forMs = 4_000) {
      store.follow(state, network)
      await vi.advanceTimersByTimeAsync(forMs)
    },
  }
}

describe('the gain over the best single pool', () => {
  it('compares a split route with a quote of one pool, with the same options', async () => {
    const { asked, gain, follow } = start(async () => quoteOf(900_000n, through('A')))
    await follow(ready(quoteOf(1_000_000n), { gasLimit: 500_000 }))
    expect(asked).toEqual([
      {
        trade,
        options: { gasLimit: 500_000, complexityLevel: 0, parts: 1, mainRouteParts: 1 },
        isComparison: true,
      },
    ])
    expect(gain()).toBe(100_000n)
  })

  it('is unknown below one basis point, without an answer, and for an answer of several pools', async () => {
    for (const answer of [
      async () => quoteOf(999_901n, through('A')),
      async () => quoteOf(1_000_001n, through('A')),
      async () => quoteOf(900_000n),
      () => Promise.reject(new WalletError('no-route', 'None.')),
    ]) {
      const { asked, gain, follow } = start(answer)
      await follow(ready(quoteOf(1_000_000n)))
      expect([asked.length, gain()]).toEqual([1, undefined])
    }
  })

  it('asks nothing for a single pool or direct swaps', async () => {
    const { asked, follow } = start(async () => quoteOf(1n, through('A')))
    await follow(ready(quoteOf(1_000_000n, through('A'))))
    await follow(ready(quoteOf(1_000_000n), { source: 'direct' }))
    await follow(ready(quoteOf(1_000_000n)), { ...local, serviceUrl: '' })
    await follow({ status: 'idle' })
    expect(asked).toEqual([])
  })

  it('is kept for refreshed quotes of the trade, and asked again after half a minute', async () => {
    const { asked, gain, follow } = start(async () => quoteOf(900_000n, through('A')))
    await follow(ready(quoteOf(1_000_000n)))
    await vi.advanceTimersByTimeAsync(29_000)
    await follow(ready(quoteOf(1_000_500n)), local, 0)
    expect([asked.length, gain()]).toEqual([1, 100_000n])
    await vi.advanceTimersByTimeAsync(1_000)
    await follow(ready(quoteOf(1_000_500n)), local, 0)
    expect([asked.length, gain()]).toEqual([2, 100_500n])
  })

  it('waits until the trade has stood for four seconds, and compares its newest quote', async () => {
    const { asked, gain, follow } = start(async () => quoteOf(900_000n, through('A')))
    for (const amount of [1n, 2n, 3n]) {
      await follow(ready(quoteOf(1_000_000n, through('A', 'B'), amount)), local, 3_900)
    }
    expect(asked).toEqual([])
    await follow(ready(quoteOf(1_000_500n, through('A', 'B'), 3n)), local, 100)
    expect(asked.map((ask) => ask.trade.amount)).toEqual([3n])
    expect(gain()).toBe(100_500n)
  })

  it('is dropped under way with another trade, and with the screen', async () => {
    const { asked, dropped, follow, leave } = start(() => new Promise(() => undefined))
    await follow(ready(quoteOf(1_000_000n)))
    await follow(ready(quoteOf(1_000_000n)))
    expect(dropped).toEqual([])
    await follow(ready(quoteOf(2_000_000n, through('A', 'B'), 5n)))
    expect([asked.length, dropped.length]).toEqual([2, 1])
    leave()
    expect(dropped).toHaveLength(2)
    await follow(ready(quoteOf(2_000_000n, through('A', 'B'), 6n)), local, 1_000)
    leave()
    await vi.advanceTimersByTimeAsync(60_000)
    expect([asked.length, dropped.length]).toEqual([2, 2])
  })

  it('is forgotten with another trade, or without a quote', async () => {
    let answer = (): Promise<Quote> => Promise.resolve(quoteOf(900_000n, through('A')))
    const { gain, follow } = start(() => answer())
    await follow(ready(quoteOf(1_000_000n)))
    answer = () => new Promise(() => undefined)
    await follow(ready(quoteOf(2_000_000n, through('A', 'B'), 5n)))
    expect(gain()).toBeUndefined()
  })
})
