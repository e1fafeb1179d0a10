import { describe, expect, it } from 'vitest'
import type { Address } from '../../../service/config.ts'
import type { Pool } from '../../../service/pools/pool.ts'
import { computePrices } from '../../../service/tokens/midPrices.ts'
import { marketOf, tokenAt, v2Pool, v3Pool } from '../../helpers/service/randomPools.ts'

const [usdc, usdt, dai, weth, wbtc, link, rare] = [0, 1, 2, 3, 4, 5, 6].map(tokenAt) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
]

/** Base units of a whole token, as floats for reserves. */
const ones = [1e6, 1e6, 1e18, 1e18, 1e8, 1e18, 1e18]
const tokens = ones.map((one, i) => ({ address: tokenAt(i), decimals: Math.round(Math.log10(one)) }))

let count = 0
/** A v2 pool with `usd` of each token, at prices in dollars. */
function pool(one: number, other: number, prices: [number, number], usd: number, feePpm = 3_000): Pool {
  const reserves = [
    (usd / prices[0]) * (ones[one] as number),
    (usd / prices[1]) * (ones[other] as number),
  ] as const
  return v2Pool(
    { tokens: [one, other], reserves: [Math.round(reserves[0]), Math.round(reserves[1])], feePpm },
    count++,
  )
}

function price(pools: Pool[], listed = tokens, stables = [usdc, usdt, dai], connectors = [weth, wbtc, usdc]) {
  const { offers } = marketOf(pools, [usdc, usdt, dai, weth, wbtc, link, rare])
  return computePrices({ tokens: listed, offers, connectors, stables })
}

describe('computePrices', () => {
  it('returns the mid price of a pool with a stable, whatever its fee and the decimals', async () => {
    for (const feePpm of [0, 500, 3_000, 10_000]) {
      const prices = await price([
        pool(0, 3, [1, 3_000], 1e6, feePpm),
        pool(1, 4, [1, 60_000], 1e6, feePpm),
        pool(2, 5, [1, 0.000_015], 1e6, feePpm),
      ])
      expect(prices.get(weth)).toBeCloseTo(3_000, 4)
      expect(prices.get(wbtc)).toBeCloseTo(60_000, 2)
      expect(prices.get(link)).toBeCloseTo(0.000_015, 10)
      expect([usdc, usdt, dai].map((stable) => prices.get(stable))).toEqual([1, 1, 1])
      expect(prices.has(rare)).toBe(false)
    }
  })

  it('goes through connectors that have a price, from the deepest pool on', async () => {
    const chained = [
      pool(0, 3, [1, 3_000], 1e6),
      pool(3, 4, [3_000, 60_000], 1e6),
      pool(4, 5, [60_000, 15], 1e6),
    ]
    const prices = await price(chained)
    expect(prices.get(wbtc)).toBeCloseTo(60_000, 2)
    expect(prices.get(link)).toBeCloseTo(15, 6)
    const cut = await price(chained.slice(1))
    expect([...cut.keys()].sort()).toEqual([usdc, usdt, dai].sort())
  })

  it('does not go through tokens that are no connectors', async () => {
    const prices = await price([pool(0, 5, [1, 15], 1e6), pool(5, 6, [15, 2], 1e6)])
    expect(prices.get(link)).toBeCloseTo(15, 6)
    expect(prices.has(rare)).toBe(false)
  })

  it('takes the price of the deepest pool, whatever shallower ones say', async () => {
    const deep = pool(0, 5, [1, 15], 1e6)
    const others = [pool(0, 5, [1, 90], 2e5), pool(3, 5, [3_000, 2], 5e5), pool(1, 5, [1, 40], 9e5)]
    const anchor = pool(0, 3, [1, 3_000], 5e6)
    for (const pools of [
      [deep, ...others, anchor],
      [anchor, ...others, deep],
    ]) {
      expect((await price(pools)).get(link)).toBeCloseTo(15, 6)
    }
    expect((await price([...others, anchor])).get(link)).toBeCloseTo(40, 6)
  })

  it('gives no price where 1,000 dollars move the price by more than 5 %', async () => {
    expect((await price([pool(0, 5, [1, 15], 25_000)])).get(link)).toBeCloseTo(15, 6)
    expect((await price([pool(0, 5, [1, 15], 15_000)])).has(link)).toBe(false)
    // Many shallow pools are not a deep one.
    const many = Array.from({ length: 20 }, () => pool(0, 5, [1, 15], 15_000))
    expect((await price(many)).has(link)).toBe(false)
  })

  it('gives no price to a token whose pool holds one side only', async () => {
    const state = { tokens: [0, 1] as const, tick: 0, feePpm: 500 }
    const wide = v3Pool({ ...state, positions: [{ below: 600, above: 600, liquidity: 1e13 }] }, count++)
    const oneSided = v3Pool({ ...state, positions: [{ below: -10, above: 600, liquidity: 1e13 }] }, count++)
    const named = (own: Pool) => price([own], tokens, [usdc], [])
    expect((await named(wide)).get(usdt)).toBeCloseTo(1, 6)
    expect((await named(oneSided)).has(usdt)).toBe(false)
  })

  it('takes the word of two stables against one that lost its peg', async () => {
    const pools = [
      pool(0, 1, [0.9, 1], 1e6),
      pool(1, 2, [1, 1.001], 1e6),
      pool(0, 2, [0.9, 1.001], 1e6),
      pool(0, 3, [0.9, 3_000], 1e7),
      pool(1, 5, [1, 15], 1e6),
    ]
    const prices = await price(pools)
    expect(prices.get(usdc)).toBeCloseTo(0.9, 2)
    expect(prices.get(usdt)).toBeCloseTo(1, 2)
    expect(prices.get(dai)).toBeCloseTo(1, 2)
    expect((prices.get(weth) as number) / 3_000).toBeCloseTo(1, 2)
    expect(prices.get(link)).toBeCloseTo(15, 1)
  })

  it('keeps the peg of two stables that disagree, since neither has the majority', async () => {
    const prices = await price([pool(0, 1, [0.9, 1], 1e6)], tokens, [usdc, usdt])
    expect([prices.get(usdc), prices.get(usdt)]).toEqual([1, 1])
  })

  it('ignores stables and connectors that are not listed, whose decimals are unknown', async () => {
    const pools = [pool(0, 3, [1, 3_000], 1e6), pool(3, 5, [3_000, 15], 1e6)]
    const listed = tokens.filter(({ address }) => address !== weth)
    expect([...(await price(pools, listed)).keys()].sort()).toEqual([usdc, usdt, dai].sort())
    expect(await price(pools, tokens, [])).toEqual(new Map())
  })
})
