import { describe, expect, it } from 'vitest'
import type { Route } from '../../../src/domain/swap/quote.ts'
import { toShownRoute } from '../../../src/domain/swap/shownRoute.ts'
import { type Address, nativeTokenAddress as eth } from '../../../src/domain/token/token.ts'

const at = (digit: string) => `0x${digit.repeat(40)}` as Address
const [dai, usdc, weth, wbtc] = ['1', '2', '3', '4'].map(at) as [Address, Address, Address, Address]
const hop = (buy: Address, share: number | undefined, ...names: string[]) => ({
  buy,
  share,
  sources: names.map((name) => ({ name, share: share && share / names.length })),
})
const shown = (route: Route, sell: Address, buy: Address) => toShownRoute(route, { sell, buy }, weth)

describe('a route that sells the native token', () => {
  it('starts at it, without wrapping', () => {
    const route = [
      { token: eth, hops: [hop(weth, 100, 'WETH')] },
      { token: weth, hops: [hop(dai, 60, 'A'), hop(usdc, 40, 'B')] },
      { token: dai, hops: [hop(usdc, 100, 'C')] },
    ]
    expect(shown(route, eth, usdc)).toEqual([
      { token: eth, hops: [hop(dai, 60, 'A'), hop(usdc, 40, 'B')] },
      { token: dai, hops: [hop(usdc, 100, 'C')] },
    ])
  })

  it('starts at it where the pools alone are listed', () => {
    const route = [{ token: weth, hops: [hop(usdc, 100, 'A')] }]
    expect(shown(route, eth, usdc)).toEqual([{ token: eth, hops: [hop(usdc, 100, 'A')] }])
  })

  it('joins pools of the native and of the wrapped token, with their shares of the whole', () => {
    const route = [
      { token: eth, hops: [hop(usdc, 40, 'V4'), hop(weth, 60, 'WETH')] },
      { token: weth, hops: [hop(usdc, 50, 'A'), hop(dai, 50, 'B')] },
      { token: dai, hops: [hop(usdc, 100, 'C')] },
    ]
    expect(shown(route, eth, usdc)).toEqual([
      {
        token: eth,
        hops: [
          {
            buy: usdc,
            share: 70,
            sources: [
              { name: 'V4', share: 40 },
              { name: 'A', share: 30 },
            ],
          },
          hop(dai, 30, 'B'),
        ],
      },
      { token: dai, hops: [hop(usdc, 100, 'C')] },
    ])
  })

  it('has unknown shares where the wrapped part is unknown', () => {
    const route = [
      { token: eth, hops: [hop(usdc, undefined, 'V4'), hop(weth, undefined, 'WETH')] },
      { token: weth, hops: [hop(dai, 100, 'A')] },
    ]
    expect(shown(route, eth, usdc)).toEqual([
      { token: eth, hops: [hop(usdc, undefined, 'V4'), hop(dai, undefined, 'A')] },
    ])
  })
})

describe('a route that buys the native token', () => {
  it('ends at it, without unwrapping', () => {
    const route = [
      { token: usdc, hops: [hop(weth, 70, 'A'), hop(dai, 20, 'B'), hop(eth, 10, 'V4')] },
      { token: dai, hops: [hop(weth, 100, 'C')] },
      { token: weth, hops: [hop(eth, 100, 'WETH')] },
    ]
    expect(shown(route, usdc, eth)).toEqual([
      {
        token: usdc,
        hops: [
          {
            buy: eth,
            share: 80,
            sources: [
              { name: 'A', share: 70 },
              { name: 'V4', share: 10 },
            ],
          },
          hop(dai, 20, 'B'),
        ],
      },
      { token: dai, hops: [hop(eth, 100, 'C')] },
    ])
  })
})

describe('a route with the native and the wrapped token between two others', () => {
  it('joins them as one stop, with their shares of the whole, after all that sells to them', () => {
    const route = [
      { token: usdc, hops: [hop(eth, 20, 'V4'), hop(dai, 30, 'A'), hop(weth, 50, 'B')] },
      { token: eth, hops: [hop(wbtc, 50, 'V4'), hop(weth, 50, 'WETH')] },
      { token: dai, hops: [hop(weth, 100, 'C')] },
      { token: weth, hops: [hop(wbtc, 100, 'V4', 'D', 'E')] },
    ]
    const bAndV4 = [
      { name: 'B', share: 50 },
      { name: 'V4', share: 20 },
    ]
    const [first, second, third, ...rest] = shown(route, usdc, wbtc)
    expect(rest).toEqual([])
    expect(first).toEqual({
      token: usdc,
      hops: [{ buy: weth, share: 70, sources: bAndV4 }, hop(dai, 30, 'A')],
    })
    expect(second).toEqual({ token: dai, hops: [hop(weth, 100, 'C')] })
    expect(third?.token).toBe(weth)
    expect(third?.hops.map(({ buy }) => buy)).toEqual([wbtc])
    // 10 of 100 natively, 90 wrapped in three parts, one of them by the same source.
    const shares = third?.hops[0]?.sources.map(({ name, share }) => [name, Math.round(share ?? 0)])
    expect(shares).toEqual([
      ['V4', 40],
      ['D', 30],
      ['E', 30],
    ])
  })

  it('sells the wrapped token, some of it unwrapped', () => {
    const route = [
      { token: weth, hops: [hop(eth, 25, 'WETH'), hop(usdc, 75, 'A')] },
      { token: eth, hops: [hop(usdc, 100, 'V4')] },
    ]
    expect(shown(route, weth, usdc)).toEqual([
      {
        token: weth,
        hops: [
          {
            buy: usdc,
            share: 100,
            sources: [
              { name: 'A', share: 75 },
              { name: 'V4', share: 25 },
            ],
          },
        ],
      },
    ])
  })
})

describe('the order of a route', () => {
  it('has the largest hops and sources first, and unknown shares last', () => {
    const route: Route = [
      {
        token: usdc,
        hops: [
          hop(weth, undefined, 'A'),
          hop(wbtc, 0.02, 'B'),
          {
            buy: dai,
            share: 60,
            sources: [
              { name: 'C', share: 0.01 },
              { name: 'D', share: 59.99 },
            ],
          },
        ],
      },
    ]
    const [split] = shown(route, usdc, wbtc)
    expect(split?.hops.map(({ buy }) => buy)).toEqual([dai, wbtc, weth])
    expect(split?.hops[0]?.sources.map(({ name }) => name)).toEqual(['D', 'C'])
  })

  it('has tokens before those that they buy', () => {
    const route = [
      { token: usdc, hops: [hop(dai, 100, 'A')] },
      { token: wbtc, hops: [hop(eth, 100, 'C')] },
      { token: dai, hops: [hop(wbtc, 100, 'B')] },
    ]
    expect(shown(route, usdc, eth).map(({ token }) => token)).toEqual([usdc, dai, wbtc])
  })

  it('does not round shares to nothing', () => {
    const route = [
      { token: eth, hops: [hop(usdc, 99, 'V4'), hop(weth, 1, 'WETH')] },
      { token: weth, hops: [hop(usdc, 1, 'A'), hop(dai, 99, 'B')] },
      { token: dai, hops: [hop(usdc, 100, 'C')] },
    ]
    const smallest = shown(route, eth, usdc)[0]?.hops[0]?.sources.at(-1)
    expect(smallest?.name).toBe('A')
    expect(smallest?.share).toBeCloseTo(0.01, 9)
  })
})

describe('a route that stays as it is', () => {
  it('has the wrapped token between two others', () => {
    const route = [
      { token: dai, hops: [hop(weth, 100, 'A')] },
      { token: weth, hops: [hop(usdc, 100, 'B')] },
    ]
    expect(shown(route, dai, usdc)).toEqual(route)
  })

  it('sells the wrapped token itself', () => {
    const route = [{ token: weth, hops: [hop(usdc, 100, 'A')] }]
    expect(shown(route, weth, usdc)).toEqual(route)
  })

  it('wraps or unwraps only', () => {
    const route = [{ token: eth, hops: [hop(weth, 100, 'WETH')] }]
    expect(shown(route, eth, weth)).toEqual(route)
  })

  it('passes through the sold token again', () => {
    const route = [
      { token: eth, hops: [hop(dai, 100, 'A')] },
      { token: dai, hops: [hop(weth, 100, 'B')] },
      { token: weth, hops: [hop(usdc, 100, 'C')] },
    ]
    expect(shown(route, eth, usdc)).toEqual(route)
  })
})
