import { describe, expect, it } from 'vitest'
import type { Route } from '../../../../src/domain/swap/quote.ts'
import type { Address } from '../../../../src/domain/token/token.ts'
import { layoutRoute, type RouteLayout } from '../../../../src/ui/swap/quote/routeLayout.ts'

const token = (digit: string) => `0x${digit.repeat(40)}` as Address
const [sell, one, two, three, buy] = ['1', '2', '3', '4', '5'].map(token) as [
  Address,
  Address,
  Address,
  Address,
  Address,
]
const hop = (to: Address, ...names: string[]) => ({
  buy: to,
  share: names.length * 10,
  sources: names.map((name) => ({ name, share: 10 })),
})

const twenty = { buy: one, share: 20, sources: [{ name: 'B', share: 20 }] }
const half = [...'CD'].map((name) => ({ name, share: 50 }))

const single: Route = [{ token: sell, hops: [hop(buy, 'A')] }]
const wide: Route = [{ token: sell, hops: [hop(buy, ...'ABCDEFGHIJKL')] }]
const tangled: Route = [
  { token: sell, hops: [hop(buy, 'A'), hop(one, 'B', 'C'), hop(two, 'D')] },
  { token: one, hops: [hop(two, 'E'), hop(buy, 'F')] },
  { token: two, hops: [hop(three, 'G'), hop(buy, 'H')] },
  { token: three, hops: [hop(buy, 'I', 'J')] },
]

const passed: Route = [
  { token: sell, hops: [hop(two, 'A', 'B', 'C'), hop(buy, 'D', 'E', 'F'), hop(one, 'G')] },
  { token: one, hops: [hop(two, 'H')] },
  { token: two, hops: [hop(buy, 'I', 'J', 'K', 'L', 'M')] },
]

function crossing({ flows }: RouteLayout, column: number) {
  return flows.filter(({ from, to }) => from.column <= column && to.column > column)
}

describe('layoutRoute', () => {
  it.each([
    ['one source', single, 2, 1],
    ['twelve sources', wide, 2, 12],
    ['a tangle', tangled, 5, 10],
  ])(
    'draws every source of %s once, between columns from left to right',
    (_name, route, columns, sources) => {
      const layout = layoutRoute(route)
      expect(layout.columns).toBe(columns)
      expect(layout.flows).toHaveLength(sources)
      expect(new Set(layout.flows.map(({ name }) => name)).size).toBe(sources)
      expect(layout.stops.find((stop) => stop.token === sell)?.column).toBe(0)
      expect(layout.stops.find((stop) => stop.token === buy)?.column).toBe(columns - 1)
      for (const { from, to } of layout.flows) expect(to.column).toBeGreaterThan(from.column)
    },
  )

  it('tells each source’s part of the sold amount, also behind a token', () => {
    const route: Route = [
      { token: sell, hops: [{ buy, share: 80, sources: [{ name: 'A', share: 80 }] }, twenty] },
      { token: one, hops: [{ buy, share: 100, sources: half }] },
    ]
    expect(layoutRoute(route).flows.map(({ name, part }) => [name, part])).toEqual([
      ['A', 0.8],
      ['B', 0.2],
      ['C', 0.1],
      ['D', 0.1],
    ])
  })

  it('never places two names over each other', () => {
    for (const route of [single, wide, tangled, passed]) {
      const layout = layoutRoute(route)
      for (let column = 0; column < layout.columns - 1; column++) {
        const ys = crossing(layout, column).map(({ y }) => y)
        expect(new Set(ys).size).toBe(ys.length)
      }
      for (const stop of layout.stops) {
        const beside = layout.stops.filter(
          ({ column, token }) => column === stop.column && token !== stop.token,
        )
        for (const { y } of beside) expect(Math.abs(y - stop.y)).toBeGreaterThanOrEqual(34)
      }
    }
  })

  it('never places a token on a flow that passes it', () => {
    for (const route of [tangled, passed]) {
      const { stops, flows } = layoutRoute(route)
      for (const { column, y } of stops) {
        const passing = flows.filter(({ from, to }) => from.column < column && to.column > column)
        for (const flow of passing) expect(y - flow.y).toBeGreaterThanOrEqual(26)
      }
    }
  })

  it('stays within its height', () => {
    for (const route of [single, wide, tangled, passed]) {
      const { height, stops, flows } = layoutRoute(route)
      for (const { y } of [...stops, ...flows]) {
        expect(y).toBeGreaterThan(10)
        expect(y).toBeLessThan(height)
      }
    }
  })
})
