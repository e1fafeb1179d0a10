import { describe, expect, it } from 'vitest'
import type { SwapApi } from '../../../src/api/client.ts'
import { createFetchQuote } from '../../../src/background/quotes/rateLimitedQuotes.ts'
import { createServiceLimit } from '../../../src/background/quotes/serviceLimit.ts'
import type { Quote, QuoteRequest } from '../../../src/domain/swap/quote.ts'
import { nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import { local } from '../../helpers/state/fakes.ts'

const weth = `0x${'c'.repeat(40)}` as const
const dai = `0x${'d'.repeat(40)}` as const
const askOf = (amount: bigint, chainId = 31337): QuoteRequest => ({
  trade: { chainId, sell: nativeTokenAddress, buy: dai, amount },
})

function opened(answer: () => Promise<void> = async () => {}) {
  let { serviceUrl } = local
  let time = 0
  let sleepers: { at: number; wake: () => void }[] = []
  const asked: { at: number; amount: bigint; args: unknown[] }[] = []
  const api = {
    async quote(...args: Parameters<SwapApi['quote']>): Promise<Quote> {
      const [trade] = args
      asked.push({ at: time, amount: trade.amount, args })
      await answer()
      return { trade, returns: 5n, gas: 1n, route: [] }
    },
  } as SwapApi
  const settle = () => new Promise((resolve) => setTimeout(resolve, 0))
  return {
    asked,
    price: createFetchQuote({
      networks: {
        network: async (chainId) => ({ ...local, chainId, serviceUrl, wrapped: weth }),
        api: async () => api,
      },
      limit: createServiceLimit({
        now: () => time,
        wait: (ms) => new Promise((wake) => sleepers.push({ at: time + ms, wake })),
      }),
    }),
    moveTo(url: string) {
      serviceUrl = url
    },
    async pass(ms: number) {
      await settle()
      const end = time + ms
      for (;;) {
        const due = sleepers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)
        if (due[0] === undefined) break
        time = due[0].at
        sleepers = sleepers.filter((one) => one !== due[0])
        due[0].wake()
        await settle()
      }
      time = end
      await settle()
    },
  }
}

describe('createFetchQuote: rate limit', () => {
  it('allows three requests at once, then one per second', async () => {
    const { asked, price, pass } = opened()
    const all = [1n, 2n, 3n, 4n, 5n].map((amount) => price(askOf(amount)))
    await pass(5_000)
    expect(asked.map(({ at }) => at)).toEqual([0, 0, 0, 1_000, 2_000])
    expect((await Promise.all(all)).map(({ trade }) => trade.amount)).toEqual([1n, 2n, 3n, 4n, 5n])
  })

  it('allows one request per second over twenty seconds, after the first burst', async () => {
    const { asked, price, pass } = opened()
    for (let second = 0; second < 20; second++) {
      price(askOf(1n)).catch(() => undefined)
      price(askOf(2n)).catch(() => undefined)
      await pass(1_000)
    }
    expect(asked.length).toBeLessThanOrEqual(23)
    expect(asked.length).toBeGreaterThanOrEqual(20)
  })

  it('allows another burst of three after three idle seconds', async () => {
    const { asked, price, pass } = opened()
    const burst = () => Promise.all([1n, 2n, 3n].map((amount) => price(askOf(amount))))
    burst()
    await pass(3_000)
    burst()
    await pass(0)
    expect(asked.map(({ at }) => at)).toEqual([0, 0, 0, 3_000, 3_000, 3_000])
  })

  it('limits each network separately', async () => {
    const { asked, price, pass } = opened()
    for (const chainId of [1, 1, 1, 5]) price(askOf(1n, chainId))
    await pass(0)
    expect(asked).toHaveLength(4)
  })

  it('skips aborted requests without using up the rate limit', async () => {
    const { asked, price, pass } = opened()
    for (const amount of [1n, 2n, 3n]) price(askOf(amount))
    const calledOff = [4n, 5n, 6n].map((amount) => {
      const asking = new AbortController()
      const answer = price(askOf(amount), asking.signal).catch((error: unknown) => error)
      asking.abort()
      return answer
    })
    price(askOf(7n))
    await pass(1_000)
    expect(asked.map(({ amount }) => amount)).toEqual([1n, 2n, 3n, 7n])
    expect(await Promise.all(calledOff)).toMatchObject(calledOff.map(() => ({ code: 'aborted' })))
  })

  it('passes the options and the abort signal to the service', async () => {
    const { asked, price, pass } = opened()
    const { signal } = new AbortController()
    price({ ...askOf(1n), options: { parts: 5 } }, signal)
    await pass(0)
    expect(asked[0]?.args).toEqual([askOf(1n).trade, { parts: 5 }, signal])
  })
})

describe('createFetchQuote: service-busy', () => {
  it('sends no request before the retry time, and reports the remaining time', async () => {
    let isBusy = true
    const { asked, price, pass } = opened(async () => {
      if (isBusy) throw new WalletError('service-busy', 'Too many.', { retryAfterMs: '20000' })
    })
    await expect(price(askOf(1n))).rejects.toMatchObject({ code: 'service-busy' })
    isBusy = false
    await pass(5_000)
    await expect(price(askOf(2n))).rejects.toMatchObject({
      code: 'service-busy',
      facts: { retryAfterMs: '15000' },
    })
    expect((await price(askOf(3n, 5))).returns).toBe(5n)
    await pass(15_000)
    expect((await price(askOf(4n))).returns).toBe(5n)
    expect(asked.map(({ amount }) => amount)).toEqual([1n, 3n, 4n])
  })

  it('does not block another service on the same network', async () => {
    let isBusy = true
    const { moveTo, price } = opened(async () => {
      if (isBusy) throw new WalletError('service-busy', 'Too many.', { retryAfterMs: '20000' })
    })
    await expect(price(askOf(1n))).rejects.toMatchObject({ code: 'service-busy' })
    isBusy = false
    moveTo('https://other.example')
    expect((await price(askOf(2n))).returns).toBe(5n)
    moveTo(local.serviceUrl)
    await expect(price(askOf(3n))).rejects.toMatchObject({ code: 'service-busy' })
  })

  it('allows the next request at once when the service names no retry time', async () => {
    let answers = 0
    const { price } = opened(async () => {
      answers += 1
      if (answers === 1) throw new WalletError('service-busy', 'Too many.')
    })
    await expect(price(askOf(1n))).rejects.toMatchObject({ code: 'service-busy' })
    expect((await price(askOf(1n))).returns).toBe(5n)
  })
})

describe('createFetchQuote: comparisons', () => {
  const comparisonOf = (amount: bigint): QuoteRequest => ({ ...askOf(amount), isComparison: true })

  it('leaves a token for the next quote and never waits for one', async () => {
    const { asked, price, pass } = opened()
    await Promise.all([price(comparisonOf(1n)), price(comparisonOf(2n))])
    await expect(price(comparisonOf(3n))).rejects.toMatchObject({ code: 'service-busy' })
    price(askOf(4n))
    await pass(0)
    expect(asked.map(({ at, amount }) => [at, amount])).toEqual([
      [0, 1n],
      [0, 2n],
      [0, 4n],
    ])
    const queued = [price(askOf(5n)), price(askOf(6n))]
    await expect(price(comparisonOf(7n))).rejects.toMatchObject({ code: 'service-busy' })
    await pass(2_000)
    expect((await Promise.all(queued)).map(({ trade }) => trade.amount)).toEqual([5n, 6n])
  })

  it('silences no quote by a 429, and rests during the pause of quotes', async () => {
    let isBusy = true
    const { asked, price, pass } = opened(async () => {
      if (isBusy) throw new WalletError('service-busy', 'Too many.', { retryAfterMs: '20000' })
    })
    await expect(price(comparisonOf(1n))).rejects.toMatchObject({ code: 'service-busy' })
    isBusy = false
    expect((await price(askOf(2n))).returns).toBe(5n)
    isBusy = true
    await expect(price(askOf(3n))).rejects.toMatchObject({ code: 'service-busy' })
    isBusy = false
    await pass(10_000)
    await expect(price(comparisonOf(4n))).rejects.toMatchObject({ code: 'service-busy' })
    expect(asked.map(({ amount }) => amount)).toEqual([1n, 2n, 3n])
  })
})

describe('createFetchQuote: native and wrapped native token', () => {
  it('quotes one to one in both directions without the service', async () => {
    const { asked, price } = opened()
    for (const pair of [
      { sell: nativeTokenAddress, buy: weth },
      { sell: weth, buy: nativeTokenAddress },
    ] as const) {
      const trade = { chainId: 31337, ...pair, amount: 7n }
      expect(await price({ trade })).toEqual({
        trade,
        returns: 7n,
        gas: 50_000n,
        route: [
          {
            token: pair.sell,
            hops: [{ buy: pair.buy, share: 100, sources: [{ name: 'WETH', share: 100 }] }],
          },
        ],
      })
    }
    expect(asked).toEqual([])
  })
})
