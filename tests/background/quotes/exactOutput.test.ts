import { parseEther } from 'viem'
import { describe, expect, it } from 'vitest'
import type { TokenSymbol } from '../../../dev/pools/tokens.ts'
import { createHttp } from '../../../src/api/http.ts'
import { v6 } from '../../../src/api/v6.ts'
import { createExactOutput } from '../../../src/background/quotes/exactOutput.ts'
import type { FetchQuote } from '../../../src/background/quotes/rateLimitedQuotes.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'
import { WalletError } from '../../../src/errors.ts'
import { useStage } from '../../helpers/background/worker.ts'

const dai: Address = '0x6b175474e89094c44da98b954eedeac495271d0f'
const weth: Address = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'

function market(forward: (amount: bigint) => bigint, backward: (amount: bigint) => bigint) {
  const asked: bigint[] = []
  const price: FetchQuote = async ({ trade }) => {
    const isForward = trade.sell === dai
    asked.push(trade.amount)
    const returns = isForward ? forward(trade.amount) : backward(trade.amount)
    if (returns === 0n) throw new WalletError('no-route', 'It would buy nothing.')
    return { trade, returns, gas: 1n, route: [] }
  }
  const sellFor = createExactOutput({ price })
  return {
    asked,
    sellFor: (returns: bigint) => sellFor({ chainId: 1, sell: dai, buy: weth, returns }),
  }
}

function pool(daiHeld: bigint, wethHeld: bigint) {
  const out = (amount: bigint, from: bigint, to: bigint) => {
    const taken = amount * 997n
    return (taken * to) / (from * 1_000n + taken)
  }
  return {
    forward: (amount: bigint) => out(amount, daiHeld, wethHeld),
    backward: (amount: bigint) => out(amount, wethHeld, daiHeld),
  }
}

/** By bisection. */
function least(forward: (amount: bigint) => bigint, returns: bigint): bigint {
  let [low, high] = [0n, 1n]
  while (forward(high) < returns) high *= 2n
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (forward(middle) >= returns) high = middle
    else low = middle
  }
  return high
}

describe('createExactOutput', () => {
  const shapes: [string, bigint, bigint][] = [
    ['18 and 18 decimals', parseEther('3000000'), parseEther('1000')],
    ['6 and 18', 3_000_000n * 10n ** 6n, parseEther('1000')],
    ['18 and 6', parseEther('1000'), 3_000_000n * 10n ** 6n],
    ['8 and 6', 50n * 10n ** 8n, 3_000_000n * 10n ** 6n],
    ['a dust pool', 1_000n, 5_000n],
    ['a token with a huge supply', 10n ** 40n, parseEther('10')],
  ]
  it.each(shapes)(
    'finds a sufficient amount within 0.1% of the minimum: %s',
    async (_name, daiHeld, wethHeld) => {
      const { forward, backward } = pool(daiHeld, wethHeld)
      for (const permille of [1n, 3n, 17n, 100n, 400n, 750n]) {
        const returns = (wethHeld * permille) / 1_000n
        if (returns === 0n) continue
        const { sellFor, asked } = market(forward, backward)
        const found = await sellFor(returns)
        const best = least(forward, returns)
        expect(forward(found)).toBeGreaterThanOrEqual(returns)
        expect(found).toBeGreaterThanOrEqual(best)
        expect(found - best).toBeLessThanOrEqual(best / 1_000n + 1n)
        expect(asked.length).toBeLessThanOrEqual(10)
      }
    },
  )

  it('needs at most five quotes for an everyday amount', async () => {
    const { forward, backward } = pool(parseEther('30000000'), parseEther('10000'))
    const { sellFor, asked } = market(forward, backward)
    await sellFor(parseEther('1'))
    expect(asked.length).toBeLessThanOrEqual(5)
  })

  it.each([2, 10, 100])(
    'converges on a steep curve when the reverse quote is %i times too high',
    async (bad) => {
      const forward = (amount: bigint) => BigInt(Math.floor(Math.sqrt(Number(amount) * 1e18)))
      const best = least(forward, parseEther('50'))
      const { sellFor } = market(forward, () => best * BigInt(bad))
      const found = await sellFor(parseEther('50'))
      expect(forward(found)).toBeGreaterThanOrEqual(parseEther('50'))
      expect(found - best).toBeLessThanOrEqual(best / 1_000n)
    },
  )

  it('exceeds a step in returns by at most 1%, or fails with no-route', async () => {
    for (const shift of [2n, 100n, 10_000n]) {
      const step = parseEther('5')
      const forward = (amount: bigint) => (amount < step ? 1_000_000n : parseEther('100'))
      const { sellFor } = market(forward, () => step * shift)
      const found = await sellFor(parseEther('50')).catch((error) => error)
      if (typeof found === 'bigint') expect(found - step).toBeLessThanOrEqual(step / 100n)
      else expect(found).toMatchObject({ code: 'no-route', facts: { most: '1000000' } })
    }
  })

  it('stays within 0.1% on a steep price curve with useless reverse quotes, or fails with no-route', async () => {
    const forward = (amount: bigint) => BigInt(Math.floor((Number(amount) / 1e18) ** 0.25 * 1e18))
    const wanted = parseEther('50')
    const best = least(forward, wanted)
    for (const divisor of [1n, 3n, 10n, 100n, 10_000n, 10n ** 6n, 10n ** 9n, 10n ** 12n]) {
      const { sellFor } = market(forward, () => best / divisor)
      const found = await sellFor(wanted).catch((error) => error)
      if (typeof found === 'bigint') expect(found - best).toBeLessThanOrEqual(best / 1_000n)
      else expect(found).toMatchObject({ code: 'no-route' })
    }
  })

  it.each([
    [0.4, 2.5],
    [0.3, 0.75],
  ])(
    'stays within 0.1% on a curve without steps, or fails with no-route: exponent %d',
    async (power, bad) => {
      const forward = (amount: bigint) => BigInt(Math.floor((Number(amount) / 1e18) ** power * 1e18))
      const wanted = parseEther('50')
      const best = least(forward, wanted)
      const { sellFor } = market(forward, () => BigInt(Math.floor(Number(best) * 10 ** bad)))
      const found = await sellFor(wanted).catch((error) => error)
      if (typeof found === 'bigint') expect(found - best).toBeLessThanOrEqual(best / 1_000n)
      else expect(found).toMatchObject({ code: 'no-route' })
    },
  )

  it('returns a single unit when it buys more than requested', async () => {
    const { sellFor } = market(
      (amount) => amount * 10n ** 12n,
      (amount) => amount / 10n ** 12n,
    )
    expect(await sellFor(5n)).toBe(1n)
  })

  it('finds an amount when the reverse quote has no route', async () => {
    const forward = (amount: bigint) => amount / 10n ** 12n
    const { sellFor } = market(forward, () => 0n)
    const found = await sellFor(1_000n)
    expect(forward(found)).toBeGreaterThanOrEqual(1_000n)
    expect(found).toBeLessThanOrEqual(1_001n * 10n ** 12n)
  })

  it('fails with no-route when the liquidity is too low', async () => {
    const { forward, backward } = pool(parseEther('3000000'), parseEther('1000'))
    await expect(market(forward, backward).sellFor(parseEther('1001'))).rejects.toMatchObject({
      code: 'no-route',
    })
  })

  it('fails with no-route when there is no route in either direction', async () => {
    await expect(
      market(
        () => 0n,
        () => 0n,
      ).sellFor(7n),
    ).rejects.toMatchObject({ code: 'no-route', message: 'It would buy nothing.' })
  })

  it('passes on errors of the service', async () => {
    const sellFor = createExactOutput({
      price: async () => {
        throw new WalletError('service-busy', 'Too many.')
      },
    })
    await expect(sellFor({ chainId: 1, sell: dai, buy: weth, returns: 1n })).rejects.toMatchObject({
      code: 'service-busy',
    })
  })

  it('returns an amount with a sufficient quote, even where a larger amount returns less', async () => {
    // Returns drop where the route changes.
    const forward = (amount: bigint) => (amount > 10_050_000n ? (amount * 98n) / 100n : amount)
    const { sellFor } = market(forward, (amount) => amount)
    for (const returns of [9_900_000n, 10_000_000n, 10_040_000n, 10_060_000n, 11_000_000n]) {
      expect(forward(await sellFor(returns))).toBeGreaterThanOrEqual(returns)
    }
  })

  it('uses the same options for every quote', async () => {
    const asked: unknown[] = []
    const sellFor = createExactOutput({
      async price({ trade, options }) {
        asked.push(options)
        return { trade, returns: trade.amount, gas: 1n, route: [] }
      },
    })
    const wanted = { chainId: 1, sell: dai, buy: weth, returns: 1_000_000n }
    await sellFor({ ...wanted, options: { parts: 5 } })
    expect(new Set(asked)).toEqual(new Set([{ parts: 5 }]))
    asked.length = 0
    expect(await sellFor(wanted)).toBe(1_000_000n)
    expect(new Set(asked)).toEqual(new Set([undefined]))
  })

  const wanted = (returns: bigint) => ({ chainId: 1, sell: dai, buy: weth, returns })

  function slowly() {
    const { forward, backward } = pool(parseEther('3000000'), parseEther('1000'))
    const signals: AbortSignal[] = []
    const sellFor = createExactOutput({
      async price({ trade }, signal) {
        signals.push(signal!)
        await new Promise((resolve) => setTimeout(resolve, 5))
        const returns = trade.sell === dai ? forward(trade.amount) : backward(trade.amount)
        return { trade, returns, gas: 1n, route: [] }
      },
    })
    return { forward, signals, sellFor }
  }

  it('aborts the search of a view when the view starts another', async () => {
    const { forward, signals, sellFor } = slowly()
    const first = sellFor(wanted(parseEther('1')), 'form')
    const second = sellFor(wanted(parseEther('2')), 'form')
    await expect(first).rejects.toMatchObject({ code: 'aborted' })
    expect(forward(await second)).toBeGreaterThanOrEqual(parseEther('2'))
    expect(signals[0]?.aborted).toBe(true)
  })

  it('runs the searches of two views concurrently', async () => {
    const { forward, signals, sellFor } = slowly()
    const both = [sellFor(wanted(parseEther('1')), 'popup'), sellFor(wanted(parseEther('2')), 'tab')]
    const [one, two] = await Promise.all(both)
    expect(forward(one!)).toBeGreaterThanOrEqual(parseEther('1'))
    expect(forward(two!)).toBeGreaterThanOrEqual(parseEther('2'))
    expect(signals.some(({ aborted }) => aborted)).toBe(false)
  })

  it('shares a search among views, and continues it while one of them waits', async () => {
    const { signals, sellFor } = slowly()
    const alone = slowly()
    await alone.sellFor(wanted(parseEther('1')), 'form')
    const both = [sellFor(wanted(parseEther('1')), 'popup'), sellFor(wanted(parseEther('1')), 'tab')]
    const [one, two] = await Promise.all(both)
    expect(one).toBe(two)
    expect(signals).toHaveLength(alone.signals.length)

    const shared = sellFor(wanted(parseEther('3')), 'popup')
    sellFor(wanted(parseEther('3')), 'tab').catch(() => {})
    await sellFor(wanted(parseEther('4')), 'popup')
    expect(await shared).toBeGreaterThan(0n)
  })

  it('rejects an amount of zero', async () => {
    const { sellFor } = market(
      (amount) => amount,
      (amount) => amount,
    )
    await expect(sellFor(0n)).rejects.toMatchObject({ code: 'invalid-input' })
  })
})

describe('createExactOutput with the real swap service', () => {
  const stage = useStage()

  const wanted: [TokenSymbol | 'ETH', TokenSymbol | 'ETH', bigint][] = [
    ['USDC', 'WETH', parseEther('1')],
    ['DAI', 'USDC', 250_000_000n],
    ['ETH', 'DAI', parseEther('1234.5')],
    ['WETH', 'WBTC', 12_345n],
    ['WBTC', 'USDC', 1n],
    ['USDC', 'DAI', parseEther('100000')],
    ['DAI', 'ETH', 1n],
  ]
  it.each(wanted)(
    'finds the amount of %s for a given amount of %s',
    async (sellSymbol, buySymbol, returns) => {
      const tokenOf = (symbol: TokenSymbol | 'ETH') =>
        symbol === 'ETH' ? nativeTokenAddress : stage.localnet.tokens[symbol]
      const [sell, buy] = [tokenOf(sellSymbol), tokenOf(buySymbol)]
      const api = v6(createHttp({ baseUrl: stage.service.url }), 31337)
      const returnOf = async (amount: bigint) =>
        (await api.quote({ chainId: 31337, sell, buy, amount })).returns
      let quotes = 0
      const sellFor = createExactOutput({
        price: ({ trade }, signal) => {
          quotes++
          return api.quote(trade, {}, signal)
        },
      })
      const found = await sellFor({ chainId: 31337, sell, buy, returns })
      expect(await returnOf(found)).toBeGreaterThanOrEqual(returns)
      const less = found - found / 900n - 1n
      // One wei costs thousands of units.
      if (less > 0n && returns > 1n) expect(await returnOf(less).catch(() => 0n)).toBeLessThan(returns)
      expect(quotes).toBeLessThanOrEqual(10)
    },
  )
})
