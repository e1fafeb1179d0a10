import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describePaths, describeRoute } from '../../../service/api/describeRoute.ts'
import type { Hops } from '../../../service/routing/decompose.ts'
import { findRoute } from '../../../service/routing/findRoute.ts'
import type { Edge } from '../../../service/routing/route.ts'
import { nativeTokenAddress } from '../../../service/tokens/registry.ts'
import {
  buy,
  ground,
  marketOf,
  mid,
  networks,
  requestOf,
  sell,
  v2Pool,
  weth,
} from '../../helpers/service/randomPools.ts'

const hundredths = (part: number) => Math.round(part * 100)

describe('describeRoute', () => {
  it('returns parts with at most two decimals that sum exactly, for every token and every hop', () => {
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
        const route: Hops = { tokens: [sell, mid, buy], edges: [...edges, last] }
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
      { numRuns: 60, seed: 1 },
    )
  })

  it('describes wrapping the native token as one hop through WETH with a part of 100', () => {
    const route = findRoute(marketOf([]), ground, { ...requestOf(5n), sell: nativeTokenAddress, buy: weth })!
    const hop = {
      part: 100,
      dst: weth,
      fromTokenId: 0,
      toTokenId: 1,
      protocols: [{ name: 'WETH', part: 100 }],
    }
    expect(describeRoute(route)).toEqual([{ token: nativeTokenAddress, hops: [hop] }])
  })

  it('sums the pools of a source into one entry', () => {
    const pools = [0, 1].map((i) => v2Pool({ tokens: [0, 1], reserves: [1e21, 1e21], feePpm: 3_000 }, i))
    const route = findRoute(marketOf(pools), ground, requestOf(10n ** 20n))!
    expect(route.edges.length).toBe(2)
    expect(describeRoute(route)[0]!.hops[0]!.protocols).toEqual([{ name: 'UNISWAP_V2', part: 100 }])
  })
})

describe('describePaths', () => {
  it('returns whole percents that sum to 100 for every step, and steps that follow each other', () => {
    fc.assert(
      fc.property(networks(5, 16), (pools) => {
        const route = findRoute(marketOf(pools), ground, requestOf(10n ** 21n))
        if (!route) return
        for (const steps of describePaths(route)) {
          expect(steps[0]![0]!.sell).toBe(sell)
          expect(steps.at(-1)![0]!.buy).toBe(buy)
          steps.forEach((pieces, i) => {
            expect(pieces.reduce((sum, { percent }) => sum + percent, 0)).toBe(100)
            for (const { percent } of pieces) expect(Number.isInteger(percent) && percent > 0).toBe(true)
            expect(new Set(pieces.map((piece) => piece.sell)).size).toBe(1)
            expect(new Set(pieces.map((piece) => piece.buy)).size).toBe(1)
            if (i > 0) expect(pieces[0]!.sell).toBe(steps[i - 1]![0]!.buy)
          })
        }
      }),
      { numRuns: 60, seed: 2 },
    )
  })

  it('shows each pool as a piece and each branch as a main route, the largest first', () => {
    const plan = { reserves: [1e24, 1e24] as const, feePpm: 3_000 }
    const direct = [0, 1].map((i) => v2Pool({ tokens: [0, 1], ...plan }, i))
    const [first, second] = [v2Pool({ tokens: [0, 2], ...plan }, 2), v2Pool({ tokens: [1, 2], ...plan }, 3)]
    const hop = (pool: Edge['pool'], from: number, to: number, sold: bigint): Edge => {
      return { pool, from, to, weight: 0, sold, bought: sold }
    }
    const edges = [
      hop(first, 0, 1, 40n),
      hop(direct[0]!, 0, 2, 45n),
      hop(direct[1]!, 0, 2, 15n),
      hop(second, 1, 2, 40n),
    ]
    const piece = (percent: number, from: string, to: string) => {
      return { source: 'UNISWAP_V2', percent, sell: from, buy: to }
    }
    expect(describePaths({ tokens: [sell, mid, buy], edges })).toEqual([
      [[piece(75, sell, buy), piece(25, sell, buy)]],
      [[piece(100, sell, mid)], [piece(100, mid, buy)]],
    ])
  })
})
