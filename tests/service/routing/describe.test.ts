import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeRoute } from '../../../service/routing/describe.ts'
import { findRoute } from '../../../service/routing/find.ts'
import type { Edge, Route } from '../../../service/routing/route.ts'
import { native } from '../../../service/tokens.ts'
import { buy, ground, marketOf, mid, networks, requestOf, sell, v2Pool, weth } from './worlds.ts'

const hundredths = (part: number) => Math.round(part * 100)

describe('describeRoute', () => {
  it('gives parts of two decimals that sum exactly, for every token and every hop', () => {
    const branch = fc.record({
      sold: fc.bigInt({ min: 1n, max: 10n ** 24n }),
      to: fc.constantFrom(1, 2),
      v3: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(branch, { minLength: 1, maxLength: 30 }), (branches) => {
        const pools = branches.map((_, i) =>
          v2Pool({ tokens: [0, 1], reserves: [1e24, 1e24], feePpm: 3_000 }, i),
        )
        const edges = branches.map(({ sold, to, v3 }, i): Edge => {
          const pool = { ...pools[i]!, source: v3 ? 'UNISWAP_V3' : 'UNISWAP_V2' }
          return { pool, from: 0, to, weight: 0, sold, bought: sold }
        })
        const last = { pool: pools[0]!, from: 1, to: 2, weight: 0, sold: 1n, bought: 1n }
        const route: Route = {
          tokens: [sell, mid, buy],
          edges: [...edges, last],
          amount: 1n,
          returns: 1n,
          gas: 0n,
        }
        for (const { hops } of describeRoute(route)) {
          expect(hops.reduce((sum, { part }) => sum + hundredths(part), 0)).toBe(10_000)
          for (const { part, protocols } of hops) {
            expect(protocols.reduce((sum, protocol) => sum + hundredths(protocol.part), 0)).toBe(
              hundredths(part),
            )
            for (const value of [part, ...protocols.map((protocol) => protocol.part)]) {
              expect(value).toBeGreaterThan(0)
              expect(String(value)).toMatch(/^\d+(\.\d{1,2})?$/)
            }
          }
        }
      }),
    )
  })

  it('describes every route from its sold token on, in topological order', () => {
    fc.assert(
      fc.property(networks(5, 16), (pools) => {
        const route = findRoute(marketOf(pools), ground, requestOf(10n ** 21n))
        if (!route) return
        const swaps = describeRoute(route)
        expect(swaps.map(({ token }) => token)).toEqual(route.tokens.slice(0, -1))
        for (const [id, { hops }] of swaps.entries()) {
          for (const { dst, fromTokenId, toTokenId } of hops) {
            expect(fromTokenId).toBe(id)
            expect(toTokenId).toBeGreaterThan(id)
            expect(route.tokens[toTokenId]).toBe(dst)
          }
        }
      }),
      { numRuns: 60 },
    )
  })

  it('names wrapping the coin as a hop through WETH with all of it', () => {
    const route = findRoute(marketOf([]), ground, { ...requestOf(5n), sell: native, buy: weth })!
    const hop = {
      part: 100,
      dst: weth,
      fromTokenId: 0,
      toTokenId: 1,
      protocols: [{ name: 'WETH', part: 100 }],
    }
    expect(describeRoute(route)).toEqual([{ token: native, hops: [hop] }])
  })

  it('adds up the pools of a source', () => {
    const pools = [0, 1].map((i) => v2Pool({ tokens: [0, 1], reserves: [1e21, 1e21], feePpm: 3_000 }, i))
    const route = findRoute(marketOf(pools), ground, requestOf(10n ** 20n))!
    expect(route.edges.length).toBe(2)
    expect(describeRoute(route)[0]!.hops[0]!.protocols).toEqual([{ name: 'UNISWAP_V2', part: 100 }])
  })
})
