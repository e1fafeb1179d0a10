import { describe, expect, it } from 'vitest'
import type { Route } from '../../../src/domain/swap/quote.ts'
import { type FlowBand, toFlowBands, toSourceShares } from '../../../src/domain/swap/routeFlow.ts'
import { toShownRoute } from '../../../src/domain/swap/shownRoute.ts'
import { type Address, nativeTokenAddress } from '../../../src/domain/token/token.ts'

const at = (digit: string) => `0x${digit.repeat(40)}` as Address
const [sell, between, buy, wrapped] = ['1', '2', '3', '4'].map(at) as [Address, Address, Address, Address]
const hop = (to: Address, share: number | undefined, ...names: string[]) => ({
  buy: to,
  share,
  sources: names.map((name) => ({ name, share: share && share / names.length })),
})

describe('toFlowBands', () => {
  it('gives each source its part of the whole amount', () => {
    const route: Route = [
      { token: sell, hops: [hop(buy, 60, 'A'), hop(between, 40, 'B', 'C')] },
      { token: between, hops: [hop(buy, 100, 'D', 'E')] },
    ]
    expect(toFlowBands(route).map(({ name, share }) => [name, share])).toEqual([
      ['A', 0.6],
      ['B', 0.2],
      ['C', 0.2],
      ['D', 0.2],
      ['E', 0.2],
    ])
  })

  it('makes a single pool beside wrapping one band', () => {
    const route: Route = [
      { token: nativeTokenAddress, hops: [hop(wrapped, 100, 'WETH')] },
      { token: wrapped, hops: [hop(buy, 100, 'A')] },
    ]
    const shown = toShownRoute(route, { sell: nativeTokenAddress, buy }, wrapped)
    expect(toFlowBands(shown)).toEqual([{ name: 'A', from: nativeTokenAddress, to: buy, share: 1 }])
    const back: Route = [
      { token: buy, hops: [hop(wrapped, 100, 'A')] },
      { token: wrapped, hops: [hop(nativeTokenAddress, 100, 'WETH')] },
    ]
    const shownBack = toShownRoute(back, { sell: buy, buy: nativeTokenAddress }, wrapped)
    expect(toFlowBands(shownBack)).toEqual([{ name: 'A', from: buy, to: nativeTokenAddress, share: 1 }])
  })

  it('keeps the shares of pools of the wrapped token beside those of the native one', () => {
    const route: Route = [
      { token: nativeTokenAddress, hops: [hop(wrapped, 80, 'WETH'), hop(buy, 20, 'V4')] },
      { token: wrapped, hops: [hop(between, 25, 'A'), hop(buy, 75, 'B')] },
      { token: between, hops: [hop(buy, 100, 'C')] },
    ]
    const shown = toShownRoute(route, { sell: nativeTokenAddress, buy }, wrapped)
    expect(toFlowBands(shown).map(({ name, share }) => [name, share])).toEqual([
      ['B', 0.6],
      ['V4', 0.2],
      ['A', 0.2],
      ['C', 0.2],
    ])
  })

  it('divides what has no known share equally', () => {
    const route: Route = [{ token: sell, hops: [hop(buy, undefined, 'A', 'B')] }]
    expect(toFlowBands(route).map(({ share }) => share)).toEqual([0.5, 0.5])
  })
})

describe('toSourceShares', () => {
  const band = (name: string, from: Address, to: Address, share: number): FlowBand => ({
    name,
    from,
    to,
    share,
  })

  it('counts an amount once that passes a source twice, largest first', () => {
    const shares = toSourceShares([
      band('A', sell, between, 0.5),
      band('B', sell, between, 0.3),
      band('C', sell, buy, 0.2),
      band('A', between, buy, 0.4),
      band('B', between, buy, 0.4),
    ])
    // 0.5 by the first hop, and half of the 0.3 that came by B.
    expect(shares.map(({ name, share }) => [name, Number(share.toFixed(9))])).toEqual([
      ['A', 0.65],
      ['B', 0.55],
      ['C', 0.2],
    ])
  })

  it('gives the whole to the only source of several pools, and nothing without bands', () => {
    const one = [band('A', sell, buy, 0.1), band('A', sell, between, 0.9), band('A', between, buy, 0.9)]
    expect(toSourceShares(one)).toEqual([{ name: 'A', share: 1 }])
    expect(toSourceShares([])).toEqual([])
  })
})
