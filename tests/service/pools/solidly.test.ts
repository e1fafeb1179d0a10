import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRandom, type Random } from '../../../bench/random.ts'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import type { Address } from '../../../service/config.ts'
import {
  createSolidlyStage,
  type Reserves,
  type Sale,
  type StagedPool,
  toSolidlyPool,
} from '../../helpers/node/solidlyStage.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

let localnet: Localnet
let stage: ReturnType<typeof createSolidlyStage>
beforeAll(async () => {
  localnet = await createLocalnet()
  stage = createSolidlyStage(localnet)
})
afterAll(() => localnet.stop())

const places = [
  [18, 18],
  [6, 18],
  [6, 6],
  [0, 8],
] as const

describe.each([
  ['volatile', false, 30],
  ['stable', true, 5],
])('%s Solidly pools', (_name, isStable, defaultFee) => {
  it('quotes to the wei what the pool contract answers and pays, for any reserves, decimals, fee and amount', async () => {
    const random = createRandom(isStable ? 1 : 2)
    const seen = { paid: 0, refused: 0, nothing: 0 }
    for (const [i, decimals] of places.entries()) {
      const pool = await stage.createPool(decimals, isStable)
      const fee = [defaultFee, 1, 300, 0][i]!
      // 420 means none, and 0 the default.
      if (fee !== defaultFee) await stage.setCustomFee(pool.address, BigInt(fee || 420))
      for (let round = 0; round < 6; round++) {
        const reserves = drawReserves(random, pool)
        const sales = Array.from({ length: 40 }, () => drawSale(random, reserves))
        const ours = toSolidlyPool(pool, reserves, fee)
        const quotes = sales.map((sale) => quoteOf(ours, pool, sale))
        const answers = await stage.amountsOut(pool, reserves, sales)
        const tries = sales.flatMap((sale, j) => (answers[j] ? [{ ...sale, bought: answers[j], j }] : []))
        const outcomes = await stage.swap(pool, reserves, tries)
        for (const [j, answer] of answers.entries()) {
          const outcome = outcomes[tries.findIndex((one) => one.j === j)]
          expect(quotes[j], `${decimals} ${reserves} ${sales[j]!.amount}`).toBe(
            outcome?.succeeds ? answer : 0n,
          )
          if (outcome?.succeeds) expect(outcome.received).toBe(quotes[j])
          seen[outcome?.succeeds ? 'paid' : answer === undefined ? 'refused' : 'nothing']++
        }
      }
    }
    expect(seen.paid).toBeGreaterThan(500)
    expect(seen.nothing).toBeGreaterThan(10)
    // Volatile pools of these sizes overflow nowhere.
    expect(seen.refused > 20).toBe(isStable)
  })

  it('quotes the maximum amount that the pool contract pays out, but for its rounding', async () => {
    const pool = await stage.createPool([18, 6], isStable)
    const amounts = [10n ** 6n, 10n ** 5n].map((whole, i) => whole * 10n ** BigInt(pool.decimals[i]!))
    const reserves = [amounts[0]!, amounts[1]!] as const
    const ours = toSolidlyPool(pool, reserves, defaultFee)
    const sales = ([0, 1] as const).flatMap((sell) =>
      [50n, 7n, 1n].map((part) => ({ sell, amount: reserves[sell] / part })),
    )
    const greedy = sales.map((sale) => ({
      ...sale,
      bought: greaterThan(quoteOf(ours, pool, sale), isStable),
    }))
    const outcomes = await stage.swap(pool, reserves, greedy)
    expect(outcomes.map(({ succeeds }) => succeeds)).toEqual(sales.map(() => false))
  })

  it('quotes nothing while it is empty or its factory is paused', async () => {
    const pool = await stage.createPool([18, 18], isStable)
    const full = [10n ** 24n, 10n ** 24n] as const
    const sale = { sell: 0, amount: 10n ** 18n } as const
    for (const dead of [toSolidlyPool(pool, [0n, 0n], 30), toSolidlyPool(pool, full, 30, true)]) {
      expect(quoteOf(dead, pool, sale)).toBe(0n)
      expect(dead.curve(...pool.tokens).bought(1e18)).toBe(0)
      expect(dead.curve(...pool.tokens).soldAt(1e-9)).toBe(0)
    }
    expect(quoteOf(toSolidlyPool(pool, full, 30), pool, sale)).toBeGreaterThan(0n)
    const bought = quoteOf(toSolidlyPool(pool, full, 30), pool, sale)
    await stage.setPauseState(true)
    expect(await stage.swap(pool, full, [{ ...sale, bought }])).toMatchObject([{ succeeds: false }])
    await stage.setPauseState(false)
    expect(await stage.swap(pool, full, [{ ...sale, bought }])).toMatchObject([{ succeeds: true }])
  })

  it('draws a curve within one unit of the input of its exact quotes', () => {
    fc.assert(
      fc.property(states(isStable), ({ pool, reserves, sale }) => {
        const ours = toSolidlyPool(pool, reserves, defaultFee)
        const curve = ours.curve(pool.tokens[sale.sell], pool.tokens[sale.sell === 0 ? 1 : 0])
        const exact = Number(quoteOf(ours, pool, sale))
        // Dust pools may refuse.
        if (exact === 0 || Number(sale.amount) > curve.capacity) return
        const unit = curve.slope(0) / (1 - defaultFee / 10_000)
        expect(Math.abs(curve.bought(Number(sale.amount)) - exact)).toBeLessThanOrEqual(
          2 + unit + exact * 1e-11,
        )
        expect(exact).toBeLessThanOrEqual(curve.most)
      }),
      { numRuns: 2_000 },
    )
  })

  it('draws a rising concave curve whose slope and inverse agree with it', () => {
    fc.assert(
      fc.property(
        states(isStable),
        fc.double({ min: 0, max: 1, noNaN: true }),
        ({ pool, reserves, sale }, at) => {
          const curve = toSolidlyPool(pool, reserves, defaultFee).curve(
            pool.tokens[sale.sell],
            pool.tokens[sale.sell === 0 ? 1 : 0],
          )
          const reach = Math.min(curve.capacity, Number(reserves[sale.sell]) * 30)
          const [low, high] = [reach * at * 0.9, reach * (at * 0.9 + 0.1)]
          const [before, after] = [curve.bought(low), curve.bought(high)]
          expect(after).toBeGreaterThan(before)
          const chord = (after - before) / (high - low)
          const noise = (after * 1e-13) / (high - low)
          expect(chord).toBeLessThanOrEqual(curve.slope(low) * (1 + 1e-9) + noise)
          expect(chord).toBeGreaterThanOrEqual(curve.slope(high * (1 - 1e-12)) * (1 - 1e-9) - noise)
          const slope = curve.slope(low)
          const back = curve.soldAt(slope)
          expect(Math.abs(curve.slope(back) - slope)).toBeLessThanOrEqual(1e-11 * slope)
          expect(curve.soldAt(curve.slope(0) * 1.000001)).toBe(0)
        },
      ),
      { numRuns: 2_000 },
    )
  })
})

describe('the curve of a stable Solidly pool', () => {
  it('is empty where the arithmetic of the contract overflows', () => {
    const pool = { ...plainPool([18, 18]), isStable: true }
    const huge = [2n ** 100n, 2n ** 100n] as const
    const ours = toSolidlyPool(pool, huge, 5)
    expect(quoteOf(ours, pool, { sell: 0, amount: 10n ** 18n })).toBe(0n)
    expect(ours.curve(...pool.tokens).capacity).toBe(0)
    for (const reserves of [[2n ** 256n - 1n, 2n ** 256n - 1n] as const, [1n, 2n ** 256n - 1n] as const]) {
      const curve = toSolidlyPool(pool, reserves, 5).curve(...pool.tokens)
      expect(Number.isFinite(curve.bought(1e18))).toBe(true)
      expect(Number.isFinite(curve.soldAt(1e-3))).toBe(true)
    }
  })

  it('ends before the contract refuses the amount', () => {
    const pool = { ...plainPool([18, 18]), isStable: true }
    const reserves = [10n ** 27n, 10n ** 27n] as const
    const ours = toSolidlyPool(pool, reserves, 5)
    const { capacity } = ours.curve(...pool.tokens)
    expect(capacity).toBeLessThan(100 * 1e27)
    expect(quoteOf(ours, pool, { sell: 0, amount: BigInt(Math.floor(capacity)) })).toBeGreaterThan(0n)
    expect(quoteOf(ours, pool, { sell: 0, amount: BigInt(Math.floor(capacity * 1.01)) })).toBe(0n)
  })
})

const tokens: readonly [Address, Address] = [
  '0x0000000000000000000000000000000000000001',
  '0x0000000000000000000000000000000000000002',
]

function plainPool(decimals: readonly [number, number]): StagedPool {
  return { address: '0x000000000000000000000000000000000000000a', tokens, decimals, isStable: false }
}

function quoteOf(ours: ReturnType<typeof toSolidlyPool>, pool: StagedPool, { sell, amount }: Sale): bigint {
  return ours.quote(pool.tokens[sell], pool.tokens[sell === 0 ? 1 : 0], amount)
}

/** The stable formula rounds up what stays, by more than a unit of tokens with more than 6 decimals. */
function greaterThan(quote: bigint, isStable: boolean): bigint {
  return isStable ? quote + quote / 10_000n + 1n : quote + 1n
}

/** From dust to more than stable pools can hold; unbalanced. */
function drawReserves(random: Random, { decimals, isStable }: StagedPool): Reserves {
  const whole = 10 ** random.between(0, 11)
  const other = whole * 10 ** (isStable ? random.between(-2, 2) : random.between(-6, 6))
  return [toUnits(whole, decimals[0]), toUnits(other, decimals[1])]
}

function drawSale(random: Random, reserves: Reserves): Sale {
  const sell = random.chance(0.5) ? 0 : 1
  return { sell, amount: BigInt(Math.round(Number(reserves[sell]) * 10 ** random.between(-9, 1.5))) + 1n }
}

function toUnits(whole: number, decimals: number): bigint {
  return BigInt(Math.round(whole * 10 ** decimals)) + 1n
}

/** Pools of a thousand tokens and more, within what stable pools can hold. */
function states(isStable: boolean): fc.Arbitrary<{ pool: StagedPool; reserves: Reserves; sale: Sale }> {
  const double = (min: number, max: number) => fc.double({ min, max, noNaN: true })
  return fc
    .record({
      decimals: fc.constantFrom(...places),
      whole: double(3, 8),
      skew: isStable ? double(-2, 2) : double(-6, 6),
      part: double(-9, 1.5),
      sell: fc.constantFrom(0 as const, 1 as const),
    })
    .map(({ decimals, whole, skew, part, sell }) => {
      const reserves = [
        toUnits(10 ** whole, decimals[0]),
        toUnits(10 ** (whole + skew), decimals[1]),
      ] as const
      const amount = BigInt(Math.round(Number(reserves[sell]) * 10 ** part)) + 1n
      return { pool: { ...plainPool(decimals), isStable }, reserves, sale: { sell, amount } }
    })
}
