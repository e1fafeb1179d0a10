import { describe, expect, it } from 'vitest'
import type { Route } from '../../../src/domain/swap/quote.ts'
import { toFlowBands } from '../../../src/domain/swap/routeFlow.ts'
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
    expect(toFlowBands(route, undefined).map(({ name, share }) => [name, share])).toEqual([
      ['A', 0.6],
      ['B', 0.2],
      ['C', 0.2],
      ['D', 0.2],
      ['E', 0.2],
    ])
  })

  it('leaves out wrapping at both ends, so that a single pool is one band', () => {
    const route: Route = [
      { token: nativeTokenAddress, hops: [hop(wrapped, 100, 'WETH')] },
      { token: wrapped, hops: [hop(buy, 100, 'A')] },
    ]
    expect(toFlowBands(route, wrapped)).toEqual([{ name: 'A', from: wrapped, to: buy, share: 1 }])
    const back: Route = [
      { token: buy, hops: [hop(wrapped, 100, 'A')] },
      { token: wrapped, hops: [hop(nativeTokenAddress, 100, 'WETH')] },
    ]
    expect(toFlowBands(back, wrapped)).toEqual([{ name: 'A', from: buy, to: wrapped, share: 1 }])
  })

  it('divides what has no known share equally', () => {
    const route: Route = [{ token: sell, hops: [hop(buy, undefined, 'A', 'B')] }]
    expect(toFlowBands(route, undefined).map(({ share }) => share)).toEqual([0.5, 0.5])
  })
})
