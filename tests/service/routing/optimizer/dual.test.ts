import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { converterPool } from '../../../../service/pools/converter.ts'
import type { Pool } from '../../../../service/pools/pool.ts'
import { createRoutingEdge, type RoutingEdge } from '../../../../service/routing/candidates.ts'
import { solveDual } from '../../../../service/routing/optimizer/dual.ts'
import { buy, far, mid, sell, v2Pool, v3Pool, weth } from '../../../helpers/service/randomPools.ts'
import { upperBound } from '../bound.ts'
import { build, plans } from '../mixed.ts'

const tokens = [sell, mid, far, weth, buy]
const last = tokens.length - 1

function arcsOf(pools: readonly Pool[]): RoutingEdge[] {
  return pools.flatMap((pool) =>
    pool.tokens.flatMap((from) =>
      pool.tokens.flatMap((to) =>
        from === to ? [] : [createRoutingEdge(tokens, pool, tokens.indexOf(from), tokens.indexOf(to))],
      ),
    ),
  )
}

function somePrices(arcs: readonly RoutingEdge[]): number[] {
  const prices: number[] = tokens.map((_, i) => (i === last ? 1 : 0))
  for (let round = 0; round < tokens.length; round++) {
    for (const { from, to, start } of arcs) prices[from] ||= start * prices[to]!
  }
  return prices
}

function flow(arcs: readonly RoutingEdge[], shares: readonly number[], amount: number): number {
  const held = tokens.map((_, i) => (i === 0 ? amount : 0))
  for (let token = 0; token < last; token++) {
    const leaving = arcs.map((arc, i) => ({ arc, share: shares[i % shares.length]! }))
    const own = leaving.filter(({ arc }) => arc.from === token && arc.to > token)
    const whole = own.reduce((sum, { share }) => sum + share, 0)
    for (const { arc, share } of own) held[arc.to]! += arc.curve.bought((held[token]! * share) / whole)
  }
  return held[last]!
}

const amount = fc.double({ min: 14, max: 23, noNaN: true }).map((exponent) => 10 ** exponent)
const modest = fc.double({ min: 16, max: 20.3, noNaN: true }).map((exponent) => 10 ** exponent)
/** Price resolution of doubles for small amounts. */
const noise = 1e-6
const factors = fc.array(fc.double({ min: -3, max: 3, noNaN: true }).map(Math.exp), {
  minLength: 5,
  maxLength: 5,
})
const shares = fc.array(fc.double({ min: 0.001, max: 1, noNaN: true }), { minLength: 7, maxLength: 7 })

describe('solveDual: value', () => {
  it('is at least the return of any allocation, at any prices', () => {
    let brought = 0
    fc.assert(
      fc.property(
        plans({ kinds: ['v2', 'v3', 'weighted'], fewest: 3, most: 9 }),
        amount,
        factors,
        fc.array(shares, { minLength: 5, maxLength: 5 }),
        (planned, sold, off, spreads) => {
          const arcs = arcsOf(build(planned))
          const prices = somePrices(arcs).map((price, i) => (i === last ? 1 : price * off[i]!))
          // Keeps the prices unchanged.
          const { value } = solveDual(arcs, tokens.length, sold, prices, Number.POSITIVE_INFINITY)
          const most = Math.max(...spreads.map((some) => flow(arcs, some, sold)))
          if (most > 0) brought++
          expect(value).toBeGreaterThanOrEqual(most * (1 - 1e-12))
        },
      ),
      { numRuns: 200, seed: 1 },
    )
    expect(brought).toBeGreaterThan(60)
  })

  it('matches an independent upper bound at the optimum, without imbalance', () => {
    let cleared = 0
    const off: number[] = []
    fc.assert(
      fc.property(
        plans({ kinds: ['v2', 'v3', 'weighted'], fewest: 5, most: 12 }),
        modest,
        (planned, sold) => {
          const pools = build(planned)
          const arcs = arcsOf(pools)
          const start = somePrices(arcs)
          if (start[0] === 0) return
          cleared++
          const { value, imbalance, prices } = solveDual(arcs, tokens.length, sold, start, 1e-9)
          expect(imbalance).toBeLessThan(noise)
          expect(prices[last]).toBe(1)
          const bound = upperBound(pools, sell, buy, sold)
          off.push(value / bound - 1)
        },
      ),
      { numRuns: 40, seed: 2 },
    )
    expect(cleared).toBeGreaterThan(20)
    expect(Math.max(...off.map(Math.abs))).toBeLessThan(1e-6)
  })

  it('does not depend on the initial prices', () => {
    fc.assert(
      fc.property(
        plans({ kinds: ['v2', 'v3', 'weighted'], fewest: 5, most: 12 }),
        modest,
        factors,
        (planned, sold, factor) => {
          const arcs = arcsOf(build(planned))
          const start = somePrices(arcs)
          if (start[0] === 0) return
          const near = solveDual(arcs, tokens.length, sold, start, 1e-9)
          const moved = start.map((price, i) => (i === last ? 1 : price * factor[i]!))
          const far = solveDual(arcs, tokens.length, sold, moved, 1e-9)
          expect(far.imbalance).toBeLessThan(noise)
          expect(Math.abs(far.value / near.value - 1)).toBeLessThan(1e-8)
        },
      ),
      { numRuns: 100, seed: 3 },
    )
  })
})

describe('solveDual: constant prices', () => {
  it('balances all tokens and bounds their flow tightly between linear and nearly linear curves', () => {
    const gaps: number[] = []
    const imbalances: number[] = []
    let lines = 0
    fc.assert(
      fc.property(
        plans({ kinds: ['v2', 'stable', 'converter', 'converter'], fewest: 5, most: 12 }),
        modest,
        (planned, amount) => {
          const arcs = arcsOf(build(planned)).filter(({ curve }) => curve.most > 0)
          const start = somePrices(arcs)
          if (start[0] === 0) return
          const { value, imbalance, prices, sold } = solveDual(arcs, tokens.length, amount, start, 1e-9)
          imbalances.push(imbalance)
          if (arcs.some(({ curve }, i) => curve.isLinear && sold[i]! > 0 && sold[i]! < curve.capacity))
            lines++
          const bound = arcs.reduce((sum, { from, to, curve }) => {
            const [paid, got] = [prices[from]!, prices[to]!]
            if (!(paid > 0 && got > 0)) return sum
            const input = curve.soldAt(paid / got)
            return sum + Math.max(0, got * curve.bought(input) - paid * input)
          }, prices[0]! * amount)
          gaps.push(bound / value - 1)
        },
      ),
      { numRuns: 300, seed: 6 },
    )
    expect(gaps.length).toBeGreaterThan(150)
    expect(lines).toBeGreaterThan(75)
    expect(imbalances.filter((one) => one > noise).length).toBeLessThan(imbalances.length / 100)
    expect(Math.max(...imbalances)).toBeLessThan(1e-4)
    expect(Math.min(...gaps)).toBeGreaterThan(-noise)
    expect(Math.max(...gaps)).toBeLessThan(1e-5)
  })

  it('divides an amount between a converter and a pool at the price of the converter', () => {
    const converter = converterPool(
      {
        ...{ kind: 'converter', source: 'SAVINGS_DAI', address: mid, tokens: [sell, buy] },
        fixed: { form: 'vault', isOneWay: false, unit: 1n, parties: [] },
      },
      { rates: [100n, 99n], maxSold: [10n ** 30n, 10n ** 30n], maxBought: [10n ** 30n, 10n ** 30n] },
    )
    const pool = v2Pool({ tokens: [0, 1], reserves: [1e24, 1e24], feePpm: 3_000 }, 1)
    const arcs = [converter, pool].map((one) => createRoutingEdge(tokens, one, 0, last))
    const { sold, value, imbalance } = solveDual(arcs, tokens.length, 1e22, somePrices(arcs), 1e-9)
    const most = arcs[1]!.curve.soldAt(0.99)
    expect(imbalance).toBeLessThan(1e-9)
    expect(sold[1]! / most).toBeCloseTo(1, 3)
    expect((sold[0]! + sold[1]!) / 1e22).toBeCloseTo(1, 8)
    expect(value / (arcs[1]!.curve.bought(most) + 0.99 * (1e22 - most))).toBeCloseTo(1, 8)
  })
})

describe('solveDual: converters of little more than the amount', () => {
  const amount = 1e22
  const psm = (capacity: bigint) =>
    converterPool(
      {
        ...{ kind: 'converter', source: 'SAVINGS_DAI', address: mid, tokens: [sell, buy] },
        fixed: { form: 'vault', isOneWay: false, unit: 1n, parties: [] },
      },
      { rates: [10_000n, 9_992n], maxSold: [capacity, capacity], maxBought: [10n ** 30n, 10n ** 30n] },
    )

  it('sell the whole amount from any initial price', () => {
    const wrong: unknown[] = []
    for (const percent of [101n, 120n, 150n, 200n, 201n, 300n, 1_000n]) {
      const arc = createRoutingEdge(tokens, psm((BigInt(amount) * percent) / 100n), 0, last)
      for (const factor of [0.5, 0.9, 0.999, 0.99999, 1, 1.000001, 1.0006, 1.01, 2, 10]) {
        const prices = somePrices([arc]).map((price, i) => (i === last ? 1 : price * factor))
        const { sold, imbalance } = solveDual([arc], tokens.length, amount, prices, 1e-7)
        if (imbalance > 1e-7) wrong.push({ percent, factor, part: sold[0]! / amount })
      }
    }
    expect(wrong).toEqual([])
  })
})

describe('solveDual: flows', () => {
  it('sells the whole amount through a single arc, up to the capacity of its pool', () => {
    fc.assert(
      fc.property(plans({ kinds: ['v2', 'v3', 'weighted'], most: 1, tokens: 2 }), amount, (planned, sold) => {
        const [pool] = build(planned) as [Pool]
        const arc = createRoutingEdge(tokens, pool, 0, last)
        const { value } = solveDual([arc], tokens.length, sold, somePrices([arc]), 1e-9)
        expect(value / arc.curve.bought(sold)).toBeGreaterThan(1 - 1e-8)
        expect(value / arc.curve.bought(sold)).toBeLessThan(1 + 1e-6)
      }),
      { numRuns: 300, seed: 4 },
    )
  })

  it('fills a pool to its capacity and sends the rest through another', () => {
    const narrow = v3Pool(
      { tokens: [0, 1], tick: 0, positions: [{ below: 100, above: 100, liquidity: 1e20 }], feePpm: 500 },
      0,
    )
    const worse = v2Pool({ tokens: [0, 1], reserves: [1e24, 9e23], feePpm: 3_000 }, 1)
    const arcs = [narrow, worse].map((pool) => createRoutingEdge(tokens, pool, 0, last))
    const capacity = arcs[0]!.curve.capacity
    const { sold, imbalance } = solveDual(arcs, tokens.length, 3 * capacity, somePrices(arcs), 1e-9)
    expect(imbalance).toBeLessThan(1e-9)
    expect(sold[0]).toBe(capacity)
    expect(sold[1]! / (2 * capacity)).toBeCloseTo(1, 8)
  })

  it('ignores a token without a price', () => {
    const direct = v2Pool({ tokens: [0, 1], reserves: [1e22, 1e22], feePpm: 3_000 }, 0)
    const into = v2Pool({ tokens: [0, 2], reserves: [1e22, 1e22], feePpm: 3_000 }, 1)
    const apart = v2Pool({ tokens: [3, 4], reserves: [1e22, 1e22], feePpm: 3_000 }, 2)
    const arcs = [
      createRoutingEdge(tokens, direct, 0, last),
      createRoutingEdge(tokens, into, 0, 1),
      ...arcsOf([apart]),
    ]
    const { value, sold, prices } = solveDual(arcs, tokens.length, 1e20, somePrices(arcs), 1e-9)
    expect(value / direct.curve(sell, buy).bought(1e20)).toBeCloseTo(1, 8)
    expect([...sold].slice(1)).toEqual([0, 0, 0])
    expect([...prices].slice(1)).toEqual([0, 0, 0, 1])
  })

  it('includes the gain of a profitable cycle', () => {
    // The cycle gains 20% before fees.
    const cycle = [
      v2Pool({ tokens: [2, 3], reserves: [1e21, 1.2e21], feePpm: 3_000 }, 0),
      v2Pool({ tokens: [3, 4], reserves: [1e21, 1e21], feePpm: 3_000 }, 1),
      v2Pool({ tokens: [2, 4], reserves: [1e21, 1e21], feePpm: 3_000 }, 2),
    ]
    const way = [
      v2Pool({ tokens: [0, 2], reserves: [1e22, 1e22], feePpm: 3_000 }, 3),
      v2Pool({ tokens: [1, 2], reserves: [1e22, 1e22], feePpm: 3_000 }, 4),
    ]
    const worthOf = (pools: Pool[]) => {
      const arcs = arcsOf(pools)
      const { value, imbalance } = solveDual(arcs, tokens.length, 1e20, somePrices(arcs), 1e-9)
      expect(imbalance).toBeLessThan(1e-9)
      expect(Math.abs(value / upperBound(pools, sell, buy, 1e20) - 1)).toBeLessThan(1e-6)
      return value
    }
    expect(worthOf([...way, ...cycle])).toBeGreaterThan(worthOf(way) * 1.01)
  })

  it('estimates the loss without each arc, and returns infinity for the only path', () => {
    const ratios: number[] = []
    fc.assert(
      fc.property(plans({ kinds: ['v2', 'weighted'], most: 10 }), modest, (planned, sold) => {
        const arcs = arcsOf(build(planned)).filter(({ from, to }) => from < to)
        const start = somePrices(arcs)
        if (start[0] === 0) return
        const { value, losses, prices, sold: flows } = solveDual(arcs, tokens.length, sold, start, 1e-9)
        losses().forEach((loss, i) => {
          if (flows[i] === 0) return
          const others = arcs.filter((_, j) => j !== i)
          const left = somePrices(others)
          const without = left[0] === 0 ? undefined : solveDual(others, tokens.length, sold, prices, 1e-9)
          if (loss === Number.POSITIVE_INFINITY) return
          if (without === undefined || without.imbalance > 1e-6) return
          const real = value - without.value
          if (real > value * 1e-6 && real < value * 1e-3) ratios.push(loss / real)
        })
      }),
      { numRuns: 100, seed: 5 },
    )
    ratios.sort((a, b) => a - b)
    expect(ratios.length).toBeGreaterThan(20)
    expect(ratios[Math.floor(ratios.length / 2)]).toBeGreaterThan(0.5)
    expect(ratios[Math.floor(ratios.length / 2)]).toBeLessThan(2)

    const only = createRoutingEdge(
      tokens,
      v2Pool({ tokens: [0, 1], reserves: [1e22, 1e22], feePpm: 3_000 }, 0),
      0,
      last,
    )
    expect([...solveDual([only], tokens.length, 1e20, somePrices([only]), 1e-9).losses()]).toEqual([
      Number.POSITIVE_INFINITY,
    ])
  })
})
