import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isSameTrade, type Quote, type Trade } from '../../src/domain/trade.ts'
import { WalletError } from '../../src/errors.ts'
import { systemClock } from '../../src/state/clock.ts'
import { createQuote } from '../../src/state/quote.ts'
import { pending, quoteOf, tradeOfAmount } from './standIns.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const minute = 60_000
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

/** A quote store over `answer`, with all that was asked of it and when. */
function watched(answer: (trade: Trade) => Promise<Quote> = async (trade) => quoteOf(trade)) {
  const asked: { trade: Trade; at: number }[] = []
  const views = new Set<string>()
  const clock = systemClock()
  const began = clock.now()
  const store = createQuote(
    {
      quote(trade, view = '') {
        views.add(view)
        asked.push({ trade, at: clock.now() - began })
        return answer(trade)
      },
    },
    { clock, everyMs: () => 6_000, random: () => 0.5 },
  )
  return { store, asked, views, state: () => store.getState() }
}

describe('asking', () => {
  it('waits 250 ms for the typing to end and asks once', async () => {
    const { store, asked, state } = watched()
    for (const amount of [1n, 12n, 123n]) {
      store.watch(tradeOfAmount(amount))
      await pass(100)
    }
    expect(state()).toEqual({ status: 'loading', trade: tradeOfAmount(123n) })
    await pass(150)
    expect(asked.map(({ trade }) => trade.amount)).toEqual([123n])
    expect(state()).toMatchObject({ status: 'ready', quote: { returns: 246n } })
  })

  it('asks again as often as the network says, and keeps the old price meanwhile', async () => {
    const slow = pending<Quote>()
    let answers = 0
    const { store, asked, state } = watched(async (trade) => {
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

  it('asks under a name of its own, the same every time', async () => {
    const [one, other] = [watched(), watched()]
    one.store.watch(tradeOfAmount(5n))
    other.store.watch(tradeOfAmount(5n))
    await pass(20_000)
    expect([one.views.size, other.views.size]).toEqual([1, 1])
    expect([...one.views]).not.toEqual([...other.views])
  })

  it('asks again when another question called its own off', async () => {
    let answers = 0
    const { store, state } = watched(async (trade) => {
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

  it('keeps quiet when the same trade is watched again', async () => {
    const { store, asked, state } = watched()
    store.watch(tradeOfAmount(5n))
    await pass(300)
    store.watch(tradeOfAmount(5n))
    expect(state().status).toBe('ready')
    await pass(300)
    expect(asked).toHaveLength(1)
  })

  it('asks at once when told to refresh', async () => {
    const { store, asked } = watched()
    store.watch(tradeOfAmount(5n))
    await pass(1_000)
    store.refresh()
    await pass(0)
    expect(asked.map(({ at }) => at)).toEqual([250, 1_000])
  })

  it('asks nothing once no trade is watched', async () => {
    const { store, asked, state } = watched()
    store.watch(tradeOfAmount(5n))
    store.watch(undefined)
    await pass(minute)
    expect(asked).toEqual([])
    expect(state()).toEqual({ status: 'idle' })
  })
})

describe('a late answer', () => {
  it('is dropped when it arrives after the trade changed', async () => {
    const first = pending<Quote>()
    const { store, state } = watched((trade) =>
      trade.amount === 1n ? first.promise : Promise.resolve(quoteOf(trade)),
    )
    store.watch(tradeOfAmount(1n))
    await pass(250)
    store.watch(tradeOfAmount(2n))
    expect(state()).toEqual({ status: 'loading', trade: tradeOfAmount(2n) })
    await pass(250)
    first.resolve(quoteOf(tradeOfAmount(1n), 999n))
    await pass(0)
    expect(state()).toMatchObject({ trade: { amount: 2n }, quote: { returns: 4n } })
  })

  it('is dropped as an error too', async () => {
    const first = pending<Quote>()
    const { store, state } = watched((trade) =>
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

  it('never shows, over 1,000 random orders of changes, delays and failures', async () => {
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
        const { store } = watched(async (trade) => {
          serial += 1n
          const mine = serial
          const { delay = 0, fails = false } = now ?? {}
          await new Promise((done) => setTimeout(done, delay))
          if (fails) throw new WalletError('service-failed', 'The service failed.')
          return quoteOf(trade, mine)
        })
        let wanted: Trade | undefined
        const stale: unknown[] = []
        const stop = store.subscribe((state) => {
          if (state.status === 'idle') return
          // What shows is about the trade on the form, and no price is followed by one that was asked before it.
          if (wanted === undefined || !isSameTrade(state.trade, wanted)) stale.push(state)
          if (state.status !== 'ready') return
          if (!isSameTrade(state.quote.trade, state.trade) || state.quote.returns < newest) stale.push(state)
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
  })
})

describe('trouble', () => {
  const busy = (facts = {}) => new WalletError('service-busy', 'Too many requests.', facts)

  it('waits 2, 4, 8, 16 and then 30 seconds, less some jitter, between failures', async () => {
    const { store, asked } = watched(() => Promise.reject(busy()))
    store.watch(tradeOfAmount(5n))
    await pass(2 * minute)
    const gaps = asked.map(({ at }, index) => at - (asked[index - 1]?.at ?? at)).slice(1, 7)
    expect(gaps).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000].map((ms) => ms * 0.875))
  })

  it('starts over after a success', async () => {
    const answers = [false, false, true, false]
    const { store, asked } = watched(async (trade) => {
      if (answers.shift() ?? true) return quoteOf(trade)
      throw busy()
    })
    store.watch(tradeOfAmount(5n))
    await pass(minute)
    const gaps = asked.map(({ at }, index) => at - (asked[index - 1]?.at ?? at)).slice(1, 5)
    expect(gaps).toEqual([1_750, 3_500, 6_000, 1_750])
  })

  it('waits as long as the service asks for', async () => {
    const { store, asked, state } = watched(() => Promise.reject(busy({ retryAfterMs: '20000' })))
    store.watch(tradeOfAmount(5n))
    await pass(300)
    expect(state()).toMatchObject({ status: 'failed', error: { code: 'service-busy' } })
    await pass(20_000)
    expect(asked).toHaveLength(1)
    await pass(1_000)
    expect(asked).toHaveLength(2)
  })

  it('does not repeat a question that was refused', async () => {
    const { store, asked, state } = watched(() => Promise.reject(new WalletError('no-route', 'No route.')))
    store.watch(tradeOfAmount(5n))
    await pass(2 * minute)
    expect(asked).toHaveLength(1)
    expect(state()).toMatchObject({ status: 'failed', retryAt: undefined })
  })

  it('keeps a price that could not be renewed for a minute, says so, and then shows the failure', async () => {
    let works = true
    const { store, state } = watched(async (trade) => {
      if (works) return quoteOf(trade)
      throw busy()
    })
    store.watch(tradeOfAmount(5n))
    await pass(250)
    works = false
    await pass(59_000)
    expect(state()).toMatchObject({ status: 'ready', trouble: { code: 'service-busy' } })
    await pass(1_001)
    expect(state()).toMatchObject({ status: 'failed', error: { code: 'service-busy' } })
  })
})

describe('rest', () => {
  it('stops five minutes after the last touch and goes on when asked to', async () => {
    const { store, asked, state } = watched()
    store.watch(tradeOfAmount(5n))
    await pass(4 * minute)
    store.touch()
    await pass(5 * minute)
    expect(state().status).toBe('ready')
    await pass(7_000)
    expect(state()).toEqual({ status: 'resting', trade: tradeOfAmount(5n) })
    const before = asked.length
    await pass(10 * minute)
    expect(asked).toHaveLength(before)
    store.refresh()
    await pass(0)
    expect(state().status).toBe('ready')
  })

  it('asks nothing while hidden, and at once afterwards when it is time', async () => {
    const { store, asked } = watched()
    store.watch(tradeOfAmount(5n))
    await pass(1_000)
    store.setHidden(true)
    await pass(30_000)
    expect(asked).toHaveLength(1)
    store.setHidden(false)
    await pass(0)
    expect(asked).toHaveLength(2)
  })

  it('keeps the price still while it is reviewed, whatever its age, and renews it afterwards', async () => {
    const { store, asked, state } = watched()
    store.watch(tradeOfAmount(5n))
    await pass(300)
    const reviewed = state()
    store.setReviewing(true)
    await pass(2 * minute)
    expect(state()).toBe(reviewed)
    store.setReviewing(false)
    expect(state().status).toBe('loading')
    await pass(0)
    expect(asked).toHaveLength(2)
    expect(state().status).toBe('ready')
  })
})
