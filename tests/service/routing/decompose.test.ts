import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decompose, type Hops } from '../../../service/routing/decompose.ts'
import type { Edge } from '../../../service/routing/route.ts'
import { tokenAt, v2Pool } from '../../helpers/service/randomPools.ts'

const pool = v2Pool({ tokens: [0, 1], reserves: [1e24, 1e24], feePpm: 3_000 }, 0)

function hops(tokens: number, edges: readonly (readonly [number, number, bigint])[]): Hops {
  return {
    tokens: Array.from({ length: tokens }, (_, i) => tokenAt(i)),
    edges: edges
      .map(([from, to, sold]): Edge => ({ pool, from, to, weight: 0, sold, bought: 1n }))
      .sort((a, b) => a.from - b.from),
  }
}

/** Hops take shares of what enters a token, so any amounts make a flow. */
const flows = fc.integer({ min: 2, max: 7 }).chain((tokens) => {
  const sold = fc.bigInt({ min: 1n, max: 10n ** 30n })
  const token = fc.integer({ min: 0, max: tokens - 1 })
  const edge = fc.tuple(token, token, sold).filter(([from, to]) => from < to)
  const row = fc.tuple(...Array.from({ length: tokens - 1 }, () => sold))
  return fc.tuple(row, fc.array(edge, { maxLength: 12 })).map(([through, more]) => {
    const steps = through.map((amount, i) => [i, i + 1, amount] as const)
    return hops(tokens, [...steps, ...more])
  })
})

describe('decompose', () => {
  it('splits the flow of each token exactly in proportion to its hops', () => {
    fc.assert(
      fc.property(flows, (route) => {
        const paths = decompose(route)
        const through = (from: number, to?: number) =>
          paths.reduce((sum, { tokens, share }) => {
            const at = tokens.indexOf(from)
            const isOnIt = at >= 0 && (to === undefined ? at < tokens.length - 1 : tokens[at + 1] === to)
            return isOnIt ? sum + share : sum
          }, 0n)
        const sold = (from: number, to?: number) =>
          route.edges.reduce(
            (sum, edge) =>
              edge.from === from && (to === undefined || edge.to === to) ? sum + edge.sold : sum,
            0n,
          )
        for (const { from, to } of route.edges) {
          expect(through(from, to) * sold(from)).toBe(through(from) * sold(from, to))
        }
      }),
    )
  })

  it('returns paths from the first token to the last, widest first, and no more than there are token pairs', () => {
    fc.assert(
      fc.property(flows, (route) => {
        const paths = decompose(route)
        for (const { tokens, share } of paths) {
          expect(tokens[0]).toBe(0)
          expect(tokens.at(-1)).toBe(route.tokens.length - 1)
          expect(tokens).toEqual([...new Set(tokens)].sort((a, b) => a - b))
          expect(share > 0n).toBe(true)
        }
        const shares = paths.map(({ share }) => share)
        expect(shares).toEqual(shares.toSorted((a, b) => (a > b ? -1 : a < b ? 1 : 0)))
        const pairs = new Set(route.edges.map(({ from, to }) => `${from} ${to}`))
        expect(paths.length).toBeLessThanOrEqual(pairs.size)
        expect(decompose(route)).toEqual(paths)
      }),
    )
  })

  it('splits flows that merge and part again', () => {
    const route = hops(5, [
      [0, 1, 30n],
      [0, 2, 30n],
      [1, 3, 7n],
      [2, 3, 4n],
      [2, 4, 2n],
      [3, 4, 9n],
    ])
    const paths = decompose(route)
    const whole = paths.reduce((sum, { share }) => sum + share, 0n)
    expect(paths.map(({ tokens, share }) => [tokens, Number((share * 60n) / whole)])).toEqual([
      [[0, 1, 3, 4], 30],
      [[0, 2, 3, 4], 20],
      [[0, 2, 4], 10],
    ])
  })

  it('ignores hops that sell nothing', () => {
    const route = hops(3, [
      [0, 2, 5n],
      [0, 1, 0n],
      [1, 2, 0n],
    ])
    expect(decompose(route).map(({ tokens }) => tokens)).toEqual([[0, 2]])
  })
})
