import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Quote, type QuoteIntent, quoteKey } from '../../../src/domain/swap/quote.ts'
import { WalletError } from '../../../src/errors.ts'
import { figure } from '../../helpers/figures.ts'
import { pending, quoteOf, tradeOfAmount } from '../../helpers/state/fakes.ts'
import { minute, pass, watchQuote } from '../../helpers/state/watchedQuote.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('requesting quotes', () => {
  it('waits 250 ms after the last change and requests one quote', async () => {
    const { store, asked, state } = watchQuote()
    for (const amount of [1n, 12n, 123n]) {
      store.watch(tradeOfAmount(amount))
      await pass(100)
    }
    expect(state()).toEqual({ status: 'loading', want: tradeOfAmount(123n), isAsked: false })
    await pass(150)
    expect(asked.map(({ trade }) => trade.amount)).toEqual([123n])
    expect(state()).toMatchObject({ status: 'ready', quote: { returns: 246n } })
  })

  it('refreshes at the interval of the network and keeps the old quote meanwhile', async () => {
    const slow = pending<Quote>()
    let answers = 0
    const { store, asked, state } = watchQuote(async (trade) => {
      answers += 1
      return answers === 2 ? slow.promise : quoteOf(trade)
    })
    store.watch(tradeOfAmount(5n))
    await pass(250 + 6_000)
    expect(asked.map(({ at }) => at)).toEqual([250, 6_250])
    expect(state()).toMatchObject({ status: 'ready', quote: { returns: 10n }, nextAt: undefined })
    slow.resolve(quoteOf(tradeOfAmount(5n), 11n))
    await pass(0)
    expect(state()).toMatchObject({ status: 'ready', quote: { returns: 11n } })
  })

  it('uses one view id of its own for all requests', async () => {
    const [one, other] = [watchQuote(), watchQuote()]
    one.store.watch(tradeOfAmount(5n))
    other.store.watch(tradeOfAmount(5n))
    await pass(20_000)
    expect([one.views.size, other.views.size]).toEqual([1, 1])
    expect([...one.views]).not.toEqual([...other.views])
  })

  it('retries after another request aborted its own', async () => {
    let answers = 0
    const { store, state } = watchQuote(async (trade) => {
      answers += 1
      if (answers === 1) throw new WalletError('aborted', 'Another trade is asked for.')
      return quoteOf(trade)
    })
    store.watch(tradeOfAmount(5n))
    await pass(250)
    expect(state()).toMatchObject({ status: 'failed', retryAt: expect.any(Number) })
    await pass(2_000)
    expect(state().status).toBe('ready')
  })

  it('does not request again when the same trade is watched again', async () => {
    const { store, asked, state } = watchQuote()
    store.watch(tradeOfAmount(5n))
    await pass(300)
    store.watch(tradeOfAmount(5n))
    expect(state().status).toBe('ready')
    await pass(300)
    expect(asked).toHaveLength(1)
  })

  it('requests a quote at once on refresh', async () => {
    const { store, asked } = watchQuote()
    store.watch(tradeOfAmount(5n))
    await pass(1_000)
    store.refresh()
    await pass(0)
    expect(asked.map(({ at }) => at)).toEqual([250, 1_000])
  })

  it('requests no quote once no trade is watched', async () => {
    const { store, asked, state } = watchQuote()
    store.watch(tradeOfAmount(5n))
    store.watch(undefined)
    await pass(minute)
    expect(asked).toEqual([])
    expect(state()).toEqual({ status: 'idle' })
  })
})

describe('price impact', () => {
  it('requests the price impact after each quote and keeps the old one meanwhile', async () => {
    const answers = [pending<number | undefined>(), pending<number | undefined>()]
    const asked: unknown[] = []
    const { store, state } = watchQuote(undefined, {
      impact(ask, returns) {
        asked.push([ask, returns])
        return answers[asked.length - 1]!.promise
      },
    })
    store.watch({ ...tradeOfAmount(5n), options: { feeBps: 3 } })
    await pass(250)
    expect(asked).toEqual([[{ trade: tradeOfAmount(5n), options: { feeBps: 3 } }, 10n]])
    expect(state()).toMatchObject({ status: 'ready', impactBps: undefined })
    answers[0]!.resolve(31)
    await pass(0)
    expect(state()).toMatchObject({ status: 'ready', impactBps: 31 })
    await pass(6_000)
    expect(asked).toHaveLength(2)
    expect(state()).toMatchObject({ status: 'ready', impactBps: 31 })
    answers[1]!.resolve(undefined)
    await pass(0)
    expect(state()).toMatchObject({ status: 'ready', impactBps: 'unknown' })
  })

  it('reports the price impact as unknown when its request fails, and keeps the quote', async () => {
    const { store, state } = watchQuote(undefined, {
      impact: () => Promise.reject(new WalletError('service-busy', 'Too many requests.')),
    })
    store.watch(tradeOfAmount(5n))
    await pass(300)
    expect(state()).toMatchObject({ status: 'ready', impactBps: 'unknown', trouble: undefined })
  })

  it('ignores the price impact of another trade', async () => {
    const slow = pending<number | undefined>()
    const { store, state } = watchQuote(undefined, {
      impact: (_ask, returns) => (returns === 2n ? slow.promise : Promise.resolve(7)),
    })
    store.watch(tradeOfAmount(1n))
    await pass(250)
    store.watch(tradeOfAmount(2n))
    await pass(250)
    slow.resolve(999)
    await pass(0)
    expect(state()).toMatchObject({ trade: { amount: 2n }, impactBps: 7 })
  })
})

describe('slow price impact', () => {
  it('shows the price impact while the quote is refreshed, and beside the new quote', async () => {
    const impacts = [pending<number | undefined>(), pending<number | undefined>()]
    const second = pending<Quote>()
    const prices = [Promise.resolve(quoteOf(tradeOfAmount(5n))), second.promise]
    let weighed = 0
    const { store, state } = watchQuote(async () => prices.shift()!, {
      impact: () => impacts[weighed++]!.promise,
    })
    store.watch(tradeOfAmount(5n))
    await pass(250 + 6_000)
    expect(state()).toMatchObject({ status: 'ready', nextAt: undefined, impactBps: undefined })
    impacts[0]!.resolve(31)
    await pass(0)
    expect(state()).toMatchObject({ status: 'ready', nextAt: undefined, impactBps: 31 })
    second.resolve(quoteOf(tradeOfAmount(5n), 11n))
    await pass(0)
    expect(state()).toMatchObject({ quote: { returns: 11n }, impactBps: 31 })
  })

  it('does not show the price impact of an older quote', async () => {
    const slow = pending<number | undefined>()
    let weighed = 0
    const { store, state } = watchQuote(undefined, {
      impact: () => (weighed++ === 0 ? slow.promise : new Promise(() => undefined)),
    })
    store.watch(tradeOfAmount(5n))
    await pass(250 + 6_000)
    slow.resolve(31)
    await pass(0)
    expect(state()).toMatchObject({ status: 'ready', impactBps: undefined })
  })
})

describe('failed quotes', () => {
  it('keeps the failed status while the quote is requested again', async () => {
    const seen = new Set<string>()
    const { store } = watchQuote(() => Promise.reject(new WalletError('service-unreachable', 'No answer.')))
    store.watch(tradeOfAmount(5n))
    await pass(250)
    store.subscribe(({ status }) => seen.add(status))
    await pass(minute)
    expect([...seen]).toEqual(['failed'])
  })
})

describe('quotes for an amount to receive', () => {
  const { amount: _, ...pair } = tradeOfAmount(0n)
  const wanted = (returns: bigint): QuoteIntent => ({ ...pair, returns, options: { parts: 5 } })

  function market() {
    const searched: unknown[] = []
    const world = { price: 2n, searched, more: 0n }
    const view = watchQuote(async (trade) => quoteOf(trade, trade.amount * world.price + world.more), {
      async sellFor(ask) {
        searched.push(ask)
        return (ask.returns + world.price - 1n) / world.price
      },
    })
    return { ...view, world }
  }

  it('searches the sell amount and requests a quote for it', async () => {
    const { store, asked, state, world } = market()
    store.watch(wanted(2_000n))
    await pass(250)
    expect(world.searched).toEqual([wanted(2_000n)])
    expect(asked.map(({ trade }) => trade)).toEqual([tradeOfAmount(1_000n)])
    expect(state()).toMatchObject({
      status: 'ready',
      want: wanted(2_000n),
      trade: tradeOfAmount(1_000n),
      quote: { returns: 2_000n },
    })
  })

  it('rounds the sell amount up to a few digits', async () => {
    const { store, state } = market()
    store.watch(wanted(246_913_579n))
    await pass(250)
    expect(state()).toMatchObject({ trade: { amount: 123_457_000n } })
  })

  it('refreshes without a search while the return is enough and at most 0.1 % over', async () => {
    const { store, asked, state, world } = market()
    store.watch(wanted(2_000n))
    await pass(250)
    world.more = 2n
    await pass(6_000)
    expect([world.searched.length, asked.length]).toEqual([1, 2])
    expect(state()).toMatchObject({ trade: { amount: 1_000n }, quote: { returns: 2_002n } })
  })

  it.each([
    ['more than 0.1 % over', 3n],
    ['a unit too little', -1n],
  ])('searches again once the quote returns %s', async (_name, more) => {
    const { store, world } = market()
    store.watch(wanted(2_000n))
    await pass(250)
    world.more = more
    await pass(6_000)
    expect(world.searched).toHaveLength(2)
  })

  it('searches again for another amount', async () => {
    const { store, state, world } = market()
    store.watch(wanted(2_000n))
    await pass(250)
    store.watch(wanted(4_000n))
    await pass(250)
    expect(world.searched).toHaveLength(2)
    expect(state()).toMatchObject({ trade: { amount: 2_000n } })
  })

  it('reports why the amount cannot be received', async () => {
    const { store, state } = watchQuote(undefined, {
      sellFor: () => Promise.reject(new WalletError('no-route', 'No route.')),
    })
    store.watch(wanted(2_000n))
    await pass(250)
    expect(state()).toMatchObject({
      status: 'failed',
      want: wanted(2_000n),
      error: { code: 'no-route' },
      retryAt: undefined,
    })
  })

  it('ignores a late search result and requests no quote for it', async () => {
    const slow = pending<bigint>()
    const { store, asked, state } = watchQuote(undefined, {
      sellFor: ({ returns }) => (returns === 2_000n ? slow.promise : Promise.resolve(7n)),
    })
    store.watch(wanted(2_000n))
    await pass(250)
    store.watch(wanted(3_000n))
    await pass(250)
    slow.resolve(1_000n)
    await pass(0)
    expect(asked.map(({ trade }) => trade.amount)).toEqual([7n])
    expect(state()).toMatchObject({ trade: { amount: 7n } })
    await pass(6_000)
    expect(asked.at(-1)).toMatchObject({ trade: { amount: 7n } })
  })
})

describe('late answers', () => {
  it('ignores a quote that arrives after the trade changed', async () => {
    const first = pending<Quote>()
    const { store, state } = watchQuote((trade) =>
      trade.amount === 1n ? first.promise : Promise.resolve(quoteOf(trade)),
    )
    store.watch(tradeOfAmount(1n))
    await pass(250)
    expect(state()).toMatchObject({ status: 'loading', isAsked: true })
    store.watch(tradeOfAmount(2n))
    expect(state()).toEqual({ status: 'loading', want: tradeOfAmount(2n), isAsked: false })
    await pass(250)
    first.resolve(quoteOf(tradeOfAmount(1n), 999n))
    await pass(0)
    expect(state()).toMatchObject({ trade: { amount: 2n }, quote: { returns: 4n } })
  })

  it('ignores an error that arrives after the trade changed', async () => {
    const first = pending<Quote>()
    const { store, state } = watchQuote((trade) =>
      trade.amount === 1n ? first.promise : Promise.resolve(quoteOf(trade)),
    )
    store.watch(tradeOfAmount(1n))
    await pass(250)
    store.watch(tradeOfAmount(2n))
    await pass(250)
    first.reject(new WalletError('no-route', 'No route.'))
    await pass(0)
    expect(state().status).toBe('ready')
  })

  it('never shows a stale quote in 1,000 random orders of changes, delays and failures', async () => {
    const action = fc.record({
      amount: fc.integer({ min: 0, max: 3 }),
      wait: fc.integer({ min: 0, max: 1_500 }),
      delay: fc.integer({ min: 0, max: 4_000 }),
      fails: fc.boolean(),
      act: fc.constantFrom('watch', 'watch', 'watch', 'refresh', 'hide', 'show', 'review', 'leave'),
    })
    let rendered = 0
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 2, maxLength: 12 }), async (actions) => {
        let now: (typeof actions)[number] | undefined
        let serial = 0n
        let newest = 0n
        const linger = async () => {
          const { delay = 0, fails = false } = now ?? {}
          await new Promise((done) => setTimeout(done, delay))
          if (fails) throw new WalletError('service-failed', 'The service failed.')
        }
        const { store } = watchQuote(
          async (trade) => {
            serial += 1n
            const mine = serial
            await linger()
            return quoteOf(trade, mine)
          },
          {
            async impact(_ask, returns) {
              await linger()
              return Number(returns)
            },
          },
        )
        let wanted: QuoteIntent | undefined
        const stale: unknown[] = []
        const stop = store.subscribe((state) => {
          if (state.status === 'idle') return
          // No older quote replaces a newer one.
          if (wanted === undefined || quoteKey(state.want) !== quoteKey(wanted)) stale.push(state)
          if (state.status !== 'ready') return
          const { want, trade, quote, impactBps } = state
          if (quoteKey(trade) !== quoteKey(want) || quoteKey(quote.trade) !== quoteKey(trade))
            stale.push(state)
          if (quote.returns < newest) stale.push(state)
          if (typeof impactBps === 'number' && impactBps > quote.returns) stale.push(state)
          newest = state.quote.returns
          rendered += 1
        })
        for (const one of actions) {
          now = one
          if (one.act === 'watch') {
            wanted = one.amount === 0 ? undefined : tradeOfAmount(BigInt(one.amount))
            store.watch(wanted)
          } else if (one.act === 'refresh') store.refresh()
          else if (one.act === 'hide' || one.act === 'show') store.setHidden(one.act === 'hide')
          else store.setReviewing(one.act === 'review')
          await pass(one.wait)
        }
        store.setHidden(false)
        store.setReviewing(false)
        await pass(10_000)
        stop()
        store.watch(undefined)
        vi.clearAllTimers()
        expect(stale).toEqual([])
      }),
      { numRuns: 1_000 },
    )
    expect(rendered).toBeGreaterThan(1_000)
    figure('51', `1,000 runs of prices with random delays: ${rendered} drawn, 0 stale`)
  })
})
