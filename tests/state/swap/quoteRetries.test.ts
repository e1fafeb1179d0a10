import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Quote } from '../../../src/domain/swap/quote.ts'
import { WalletError } from '../../../src/errors.ts'
import { pending, quoteOf, tradeOfAmount } from '../../helpers/state/fakes.ts'
import { minute, pass, watchQuote } from '../../helpers/state/watchedQuote.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('coming back online', () => {
  it('requests a failed quote at once', async () => {
    let works = false
    const { store, state } = watchQuote(async (trade) => {
      if (works) return quoteOf(trade)
      throw new WalletError('service-unreachable', 'No answer.')
    })
    store.watch(tradeOfAmount(5n))
    await pass(minute)
    expect(state()).toMatchObject({ status: 'failed', error: { code: 'service-unreachable' } })
    works = true
    store.setOnline(false)
    await pass(0)
    expect(state().status).toBe('failed')
    store.setOnline(true)
    await pass(0)
    expect(state().status).toBe('ready')
  })
})

describe('retries after errors', () => {
  const busy = (facts = {}) => new WalletError('service-busy', 'Too many requests.', facts)

  it('waits 2, 4, 8, 16 and then 30 seconds, less jitter, between failures', async () => {
    const { store, asked } = watchQuote(() => Promise.reject(busy()))
    store.watch(tradeOfAmount(5n))
    await pass(2 * minute)
    const gaps = asked.map(({ at }, index) => at - (asked[index - 1]?.at ?? at)).slice(1, 7)
    expect(gaps).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000].map((ms) => ms * 0.875))
  })

  it('resets the backoff after a success', async () => {
    const answers = [false, false, true, false]
    const { store, asked } = watchQuote(async (trade) => {
      if (answers.shift() ?? true) return quoteOf(trade)
      throw busy()
    })
    store.watch(tradeOfAmount(5n))
    await pass(minute)
    const gaps = asked.map(({ at }, index) => at - (asked[index - 1]?.at ?? at)).slice(1, 5)
    expect(gaps).toEqual([1_750, 3_500, 6_000, 1_750])
  })

  it('waits for the delay that the service asks for', async () => {
    const { store, asked, state } = watchQuote(() => Promise.reject(busy({ retryAfterMs: '20000' })))
    store.watch(tradeOfAmount(5n))
    await pass(300)
    expect(state()).toMatchObject({ status: 'failed', error: { code: 'service-busy' } })
    await pass(20_000)
    expect(asked).toHaveLength(1)
    await pass(1_000)
    expect(asked).toHaveLength(2)
  })

  it('reports a retry time that is not in the future while a retry is in progress', async () => {
    let answer = () => Promise.reject<Quote>(new WalletError('service-failed', 'The service failed.'))
    const { store, state } = watchQuote(() => answer())
    store.watch(tradeOfAmount(5n))
    await pass(250)
    expect(state()).toMatchObject({ status: 'failed', retryAt: expect.any(Number) })
    answer = () => pending<Quote>().promise
    await pass(5_000)
    const { retryAt } = state() as { retryAt: number }
    expect(retryAt).toBeLessThanOrEqual(performance.now())
  })

  it('does not retry when there is no route', async () => {
    const { store, asked, state } = watchQuote(() => Promise.reject(new WalletError('no-route', 'No route.')))
    store.watch(tradeOfAmount(5n))
    await pass(2 * minute)
    expect(asked).toHaveLength(1)
    expect(state()).toMatchObject({ status: 'failed', retryAt: undefined })
  })

  it('keeps a quote that cannot be renewed for a minute with the error, and then fails', async () => {
    let works = true
    const { store, state } = watchQuote(async (trade) => {
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

describe('pausing', () => {
  it('stops five minutes after the last touch and continues on refresh', async () => {
    const { store, asked, state } = watchQuote()
    store.watch(tradeOfAmount(5n))
    await pass(4 * minute)
    store.touch()
    await pass(5 * minute)
    expect(state().status).toBe('ready')
    await pass(7_000)
    expect(state()).toEqual({ status: 'resting', want: tradeOfAmount(5n) })
    const before = asked.length
    await pass(10 * minute)
    expect(asked).toHaveLength(before)
    store.refresh()
    await pass(0)
    expect(state().status).toBe('ready')
  })

  it('requests no quote while hidden, and a due one when shown again', async () => {
    const { store, asked, state } = watchQuote()
    store.watch(tradeOfAmount(5n))
    await pass(1_000)
    store.setHidden(true)
    await pass(30_000)
    expect(asked).toHaveLength(1)
    store.setHidden(false)
    await pass(0)
    expect(asked).toHaveLength(2)
    store.setHidden(true)
    await pass(2 * minute)
    expect(state()).toMatchObject({ status: 'loading', isAsked: false })
    expect(asked).toHaveLength(2)
  })

  it('keeps the quote during a review, whatever its age, and renews it afterwards', async () => {
    const { store, asked, state } = watchQuote()
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
