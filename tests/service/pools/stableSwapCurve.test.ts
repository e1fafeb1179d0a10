import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Address } from '../../../service/config.ts'
import { dynamicFee } from '../../../service/pools/stableSwap/stableSwapMath.ts'
import { type StablePlan, toStablePool } from '../../helpers/node/stableSwapStage.ts'

const double = (min: number, max: number) => fc.double({ min, max, noNaN: true })
const tokens = Array.from({ length: 8 }, (_, i): Address => `0x${String(i + 1).padStart(40, '0')}`)

/** Pools of ten thousand tokens and more, and an amount sold of one for another. */
const states = fc
  .record({
    form: fc.constantFrom(0 as const, 1 as const, 2 as const),
    precision: fc.constantFrom(1 as const, 100 as const),
    decimals: fc.array(fc.constantFrom(6, 8, 18), { minLength: 2, maxLength: 8 }),
    amplification: fc.integer({ min: 5, max: 20_000 }).map(BigInt),
    fee: fc.integer({ min: 0, max: 50_000_000 }).map(BigInt),
    times: fc.integer({ min: 0, max: 20 }),
    whole: double(4, 9),
    skews: fc.array(double(-1, 1), { minLength: 8, maxLength: 8 }),
    sides: fc.tuple(fc.nat(), fc.nat()),
    part: double(-9, 1),
  })
  .map(({ times, whole, skews, sides: [one, other], part, ...rest }) => {
    const count = rest.decimals.length
    const form = rest.form === 1 && count > 3 ? 0 : rest.form
    const precision = form === 2 ? 100 : form === 1 ? 1 : rest.precision
    const offpegMultiplier = form === 2 ? BigInt(times) * 10n ** 10n : 0n
    const plan: StablePlan = { ...rest, form, precision, offpegMultiplier }
    const balances = plan.decimals.map((places, i) => BigInt(Math.round(10 ** (whole + skews[i]! + places))))
    const sell = one % count
    const buy = (sell + 1 + (other % (count - 1))) % count
    const amount = BigInt(Math.round(Number(balances[sell]) * 10 ** part)) + 1n
    const pool = toStablePool({ ...plan, address: tokens[0]!, tokens: tokens.slice(0, count) }, balances)
    return { plan, pool, balances, sell, buy, amount }
  })

type State = typeof states extends fc.Arbitrary<infer S> ? S : never

function worth({ plan, balances }: State, i: number): bigint {
  return balances[i]! * 10n ** BigInt(18 - plan.decimals[i]!)
}

describe('the curve of a StableSwap pool', () => {
  it('is never below its exact quotes, and above them by no more than what a dynamic fee grows', () => {
    fc.assert(
      fc.property(states, (state) => {
        const { plan, pool, balances, sell, buy, amount } = state
        const curve = pool.curve(tokens[sell]!, tokens[buy]!)
        const exact = Number(pool.quote(tokens[sell]!, tokens[buy]!, amount))
        if (exact === 0 || Number(amount) > curve.capacity) return
        const drawn = curve.bought(Number(amount))
        const scale = (i: number) => 10n ** BigInt(18 - plan.decimals[i]!)
        const [x, y] = [worth(state, sell), worth(state, buy)]
        const left = (balances[buy]! - BigInt(exact)) * scale(buy)
        // On average, and the lowest on the way.
        const met = dynamicFee(plan, x + (amount * scale(sell)) / 2n, (y + left) / 2n)
        const least = x < y ? plan.fee : dynamicFee(plan, x, y)
        const growth = Math.max(Number(met - least), 0) / 1e10
        const unit = 3 + curve.slope(0)
        expect(drawn).toBeGreaterThanOrEqual(exact * (1 - 1e-11) - unit)
        expect(drawn).toBeLessThanOrEqual(exact * (1 + 1.1 * growth + 1e-11) + unit)
        expect(exact).toBeLessThanOrEqual(curve.most)
      }),
      { numRuns: 3_000 },
    )
  })

  it('rises concavely, with a slope and an inverse that agree with it', () => {
    fc.assert(
      fc.property(states, double(0, 1), ({ pool, balances, sell, buy }, at) => {
        const curve = pool.curve(tokens[sell]!, tokens[buy]!)
        const reach = Math.min(curve.capacity, Number(balances[sell]) * 3)
        const [low, high] = [reach * at * 0.9, reach * (at * 0.9 + 0.1)]
        const [before, after] = [curve.bought(low), curve.bought(high)]
        expect(after).toBeGreaterThan(before)
        const chord = (after - before) / (high - low)
        const noise = (after * 1e-12) / (high - low)
        expect(chord).toBeLessThanOrEqual(curve.slope(low) * (1 + 1e-9) + noise)
        expect(chord).toBeGreaterThanOrEqual(curve.slope(high * (1 - 1e-12)) * (1 - 1e-9) - noise)
        const slope = curve.slope(low)
        const back = curve.soldAt(slope)
        expect(Math.abs(curve.slope(back) - slope)).toBeLessThanOrEqual(1e-9 * slope)
        expect(curve.soldAt(curve.slope(0) * 1.000001)).toBe(0)
      }),
      { numRuns: 2_000 },
    )
  })

  it('is empty where the arithmetic of the contract overflows', () => {
    const plan = { form: 0, precision: 1, decimals: [18, 18], amplification: 100n } as const
    const listed = { ...plan, fee: 0n, offpegMultiplier: 0n, address: tokens[0]!, tokens: tokens.slice(0, 2) }
    for (const balances of [
      [2n ** 130n, 2n ** 130n],
      [2n ** 255n, 2n ** 255n],
      [1n, 2n ** 256n - 1n],
    ]) {
      const pool = toStablePool(listed, balances)
      expect(pool.curve(tokens[0]!, tokens[1]!).capacity).toBe(0)
      expect(pool.quote(tokens[0]!, tokens[1]!, 2n ** 255n)).toBe(0n)
    }
  })
})
