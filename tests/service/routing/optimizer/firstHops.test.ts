import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Pool } from '../../../../service/pools/pool.ts'
import { findRoute } from '../../../../service/routing/findRoute.ts'
import { ground, marketOf, requestOf, sell, v2Pool } from '../../../helpers/service/randomPools.ts'
import { slow } from '../../../helpers/slow.ts'

slow('Every choice of first hops is searched.')

const mainRouteParts = 3
const depth = fc.double({ min: 21, max: 24, noNaN: true }).map((exponent) => Math.round(10 ** exponent))
const price = fc.double({ min: 0.97, max: 1.03, noNaN: true })

/** Many first hops of similar worth, into the bought token and into connectors that sell on. */
const markets = fc
  .record({
    first: fc.array(fc.record({ to: fc.constantFrom(1, 2, 3), depth, price }), {
      minLength: 6,
      maxLength: 8,
    }),
    second: fc.array(fc.record({ from: fc.constantFrom(2, 3), depth, price }), {
      minLength: 2,
      maxLength: 4,
    }),
  })
  .map(({ first, second }): Pool[] => [
    ...first.map(({ to, depth, price }, i) => poolOf(0, to, depth, price, i)),
    ...second.map(({ from, depth, price }, i) => poolOf(1, from, depth, price, first.length + i)),
  ])

describe('exchangeFirstHops', () => {
  it('returns what the best of all choices of first hops returns, where their number is limited', () => {
    let limited = 0
    fc.assert(
      fc.property(markets, fc.double({ min: 22, max: 23.5, noNaN: true }), (pools, exponent) => {
        const amount = BigInt(Math.round(10 ** exponent))
        const route = findRoute(marketOf(pools), ground, requestOf(amount, { mainRouteParts }))!
        const free = findRoute(marketOf(pools), ground, requestOf(amount))!
        if (free.edges.filter(({ from }) => from === 0).length <= mainRouteParts) return
        limited++
        const first = pools.filter(({ tokens }) => tokens.includes(sell))
        const rest = pools.filter((pool) => !first.includes(pool))
        const best = choices(first, mainRouteParts).map((some) => {
          return Number(findRoute(marketOf([...some, ...rest]), ground, requestOf(amount))?.returns ?? 0n)
        })
        expect(Number(route.returns) / Math.max(...best)).toBeGreaterThan(0.99999)
      }),
      { numRuns: 60, seed: 25, endOnFailure: true },
    )
    expect(limited).toBeGreaterThan(20)
  })
})

function poolOf(one: number, other: number, depth: number, price: number, index: number): Pool {
  return v2Pool({ tokens: [one, other], reserves: [depth, Math.round(depth * price)], feePpm: 3_000 }, index)
}

function choices<Item>(items: readonly Item[], size: number): Item[][] {
  if (size === 0) return [[]]
  return items.flatMap((item, i) => choices(items.slice(i + 1), size - 1).map((rest) => [item, ...rest]))
}
