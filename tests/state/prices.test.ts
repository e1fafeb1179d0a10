import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Address } from '../../src/domain/token/token.ts'
import { dollars } from '../../src/domain/value/currency.ts'
import type { TokenPrice } from '../../src/domain/value/price.ts'
import type { PricesApi } from '../../src/protocol.ts'
import { systemClock } from '../../src/state/clock.ts'
import { createPrices } from '../../src/state/prices.ts'

const one: Address = '0x1111111111111111111111111111111111111111'
const other: Address = '0x2222222222222222222222222222222222222222'
const price: TokenPrice = { usd: 100_000_000n, per: 1_000_000n, source: 'oracle' }

function start(answer: PricesApi['prices'] = async (_, tokens) => listOf(tokens)) {
  const asked: [number, Address[]][] = []
  const prices = createPrices(
    {
      prices: (chainId, tokens) => {
        asked.push([chainId, tokens])
        return answer(chainId, tokens)
      },
    },
    systemClock(),
  )
  return { prices, asked }
}

function listOf(tokens: Address[]) {
  return { prices: Object.fromEntries(tokens.map((token) => [token, price])), rate: dollars }
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())
const settle = () => vi.advanceTimersByTimeAsync(0)

describe('prices', () => {
  it('reads all tokens of one render with one request', async () => {
    const { prices, asked } = start()
    prices.track(1, [one])
    prices.track(1, [other])
    await settle()
    expect(asked).toEqual([[1, [one, other]]])
    expect(prices.price(1, other)).toEqual(price)
    expect(prices.price(10, other)).toBeUndefined()
  })

  it('reads again after 30 seconds, not before', async () => {
    const { prices, asked } = start()
    prices.track(1, [one])
    await settle()
    await vi.advanceTimersByTimeAsync(29_000)
    prices.renew()
    await settle()
    expect(asked).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1_000)
    prices.renew()
    await settle()
    expect(asked).toHaveLength(2)
  })

  it('reads a token that was asked for during a read', async () => {
    const { prices, asked } = start(async (_, tokens) => {
      await new Promise((resolve) => setTimeout(resolve, 100))
      return listOf(tokens)
    })
    prices.track(1, [one])
    await settle()
    prices.track(1, [other])
    await vi.advanceTimersByTimeAsync(300)
    expect(asked).toEqual([
      [1, [one]],
      [1, [one, other]],
    ])
    expect(prices.price(1, other)).toEqual(price)
  })

  it('forgets the price of a token that lost it', async () => {
    let isKnown = true
    const { prices } = start(async (_, tokens) => listOf(isKnown ? tokens : []))
    prices.track(1, [one])
    await settle()
    isKnown = false
    await vi.advanceTimersByTimeAsync(30_000)
    prices.renew()
    await settle()
    expect(prices.price(1, one)).toBeUndefined()
  })

  it('keeps the last prices for two minutes when the RPC does not answer, then only as old', async () => {
    let isDown = false
    const { prices, asked } = start(async (_, tokens) => {
      if (isDown) throw new Error('Down.')
      return listOf(tokens)
    })
    prices.track(1, [one])
    await settle()
    isDown = true
    await vi.advanceTimersByTimeAsync(30_000)
    prices.renew()
    await settle()
    expect(asked).toHaveLength(2)
    expect(prices.price(1, one)).toEqual(price)
    const changes = vi.fn()
    prices.subscribe(changes)
    await vi.advanceTimersByTimeAsync(89_999)
    expect(prices.price(1, one)).toEqual(price)
    expect(changes).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(changes).toHaveBeenCalledOnce()
    expect(prices.price(1, one)).toBeUndefined()
    expect(prices.getState().chains[1]).toMatchObject({ prices: {}, old: { [one]: price } })
    isDown = false
    prices.track(1, [one])
    await settle()
    expect(prices.price(1, one)).toEqual(price)
    expect(prices.getState().chains[1]).toMatchObject({ prices: { [one]: price }, old: {} })
  })

  it('never lacks a price between reads', async () => {
    const { prices, asked } = start()
    prices.track(1, [one])
    await settle()
    const seen = vi.fn(() => prices.getState().chains[1]?.prices[one])
    prices.subscribe(seen)
    for (let times = 0; times < 20; times += 1) {
      await vi.advanceTimersByTimeAsync(30_000)
      prices.track(1, [one])
      await settle()
      expect(prices.price(1, one)).toEqual(price)
    }
    expect(asked).toHaveLength(21)
    expect(seen.mock.results.every(({ value }) => value !== undefined)).toBe(true)
  })

  it('returns no price that is old, also if the timer is late after sleep', async () => {
    const clock = systemClock()
    let slept = 0
    const prices = createPrices(
      { prices: async (_, tokens) => listOf(tokens) },
      { ...clock, now: () => clock.now() + slept },
    )
    prices.track(1, [one])
    await settle()
    expect(prices.price(1, one)).toEqual(price)
    slept = 120_000
    expect(prices.price(1, one)).toBeUndefined()
  })

  it('returns no restored price, but keeps it as old until it is read', async () => {
    const { prices } = start()
    prices.restore({ 1: { [one]: price, [other]: price } }, dollars)
    expect(prices.price(1, one)).toBeUndefined()
    prices.track(1, [one])
    await settle()
    expect(prices.price(1, one)).toEqual(price)
    expect(prices.getState().chains[1]).toMatchObject({ old: { [other]: price } })
    expect(prices.getState().chains[1]?.readAt[other]).toBeUndefined()
  })

  it('stops reading tokens that nothing shows for two minutes', async () => {
    const { prices, asked } = start()
    prices.track(1, [one, other])
    await settle()
    await vi.advanceTimersByTimeAsync(100_000)
    prices.track(1, [one])
    await vi.advanceTimersByTimeAsync(30_000)
    prices.renew()
    await settle()
    expect(asked.at(-1)).toEqual([1, [one]])
  })

  it('reads nothing while values are off, and again with another currency', async () => {
    const { prices, asked } = start()
    prices.setDisplay('USD', false)
    prices.track(1, [one])
    await settle()
    expect(asked).toEqual([])
    prices.setDisplay('USD', true)
    await settle()
    expect(asked).toHaveLength(1)
    prices.setDisplay('EUR', true)
    await settle()
    expect(asked).toHaveLength(2)
  })
})
