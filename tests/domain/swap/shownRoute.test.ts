import { describe, expect, it } from 'vitest'
import type { Route } from '../../../src/domain/swap/quote.ts'
import { toShownRoute } from '../../../src/domain/swap/shownRoute.ts'
import { type Address, nativeTokenAddress as eth } from '../../../src/domain/token/token.ts'

const at = (digit: string) => `0x${digit.repeat(40)}` as Address
const [dai, usdc, weth] = ['1', '2', '3'].map(at) as [Address, Address, Address]
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

describe('a route that stays as it is', () => {
  it('has the wrapped token between two others', () => {
    const route = [
      { token: dai, hops: [hop(weth, 100, 'A')] },
      { token: weth, hops: [hop(usdc, 100, 'B')] },
    ]
    expect(shown(route, dai, usdc)).toBe(route)
  })

  it('sells the wrapped token itself', () => {
    const route = [{ token: weth, hops: [hop(usdc, 100, 'A')] }]
    expect(shown(route, weth, usdc)).toBe(route)
  })

  it('wraps or unwraps only', () => {
    const route = [{ token: eth, hops: [hop(weth, 100, 'WETH')] }]
    expect(shown(route, eth, weth)).toBe(route)
  })

  it('passes through the sold token again', () => {
    const route = [
      { token: eth, hops: [hop(dai, 100, 'A')] },
      { token: dai, hops: [hop(weth, 100, 'B')] },
      { token: weth, hops: [hop(usdc, 100, 'C')] },
    ]
    expect(shown(route, eth, usdc)).toBe(route)
  })
})
