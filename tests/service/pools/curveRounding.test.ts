import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { converterPool } from '../../../service/pools/converter.ts'
import type { Pool } from '../../../service/pools/pool.ts'
import { solidlyPool } from '../../../service/pools/solidly.ts'
import { stablePool } from '../../../service/pools/stable.ts'
import { stableSwapPool } from '../../../service/pools/stableSwap/stableSwapPool.ts'
import { stableV3Pool } from '../../../service/pools/stableV3.ts'
import { spotOf } from '../../../service/routing/priceIndex.ts'
import { tokenAt } from '../../helpers/service/randomPools.ts'
import { build, plans } from '../routing/mixed.ts'

const double = (min: number, max: number) => fc.double({ min, max, noNaN: true })
const eight = <T>(item: fc.Arbitrary<T>) => fc.array(item, { minLength: 8, maxLength: 8 })

/** From dust to more than exists, off balance by up to four digits. */
const plan = fc.record({
  count: fc.integer({ min: 2, max: 8 }),
  decimals: eight(fc.constantFrom(0, 6, 8, 18)),
  size: double(2, 30),
  skews: eight(double(-3, 1)),
  amplification: double(0, 6),
  feeBps: fc.constantFrom(0, 1, 4, 100),
  rates: eight(double(-4, 2)),
})
type Plan = typeof plan extends fc.Arbitrary<infer P> ? P : never

const address = tokenAt(0xa000)
const rateOf = ({ rates }: Plan, i: number) => BigInt(Math.round(10 ** (18 + rates[i]!)))
const scaleOf = ({ decimals }: Plan, i: number) => 10n ** BigInt(18 - decimals[i]!)
/** Of balances with 18 decimals of about 10^size. */
function balancesOf({ decimals, size, skews }: Plan, count: number, rate: (i: number) => bigint): bigint[] {
  return decimals.slice(0, count).map((places, i) => {
    return BigInt(Math.ceil((10 ** (size + skews[i]! - 18 + places) * 1e18) / Number(rate(i)))) + 1n
  })
}
const toTokens = (count: number) => Array.from({ length: count }, (_, i) => tokenAt(i))
const unrated = () => 10n ** 18n

function vaultPool(planned: Plan, isEarly: boolean, isRated: boolean): Pool {
  const count = Math.min(planned.count, 5)
  const rate = isRated ? (i: number) => rateOf(planned, i) : unrated
  const tokens = toTokens(count)
  const scales = tokens.map((_, i) => scaleOf(planned, i))
  const fixed = { vault: tokenAt(0xba1), poolId: '0x00', scales, isEarly } as const
  const state = {
    holdings: balancesOf(planned, count, rate).map((cash) => ({ cash, managed: 0n })),
    ...{ fee: BigInt(planned.feeBps) * 10n ** 14n, isPaused: false, isMoving: false },
    amplification: BigInt(Math.round(10 ** Math.min(planned.amplification, 3.7) * 1_000)),
  }
  const listing = { kind: 'stable', source: 'BALANCER_V2_STABLE', address, tokens } as const
  if (!isRated) return stablePool({ ...listing, fixed }, state)
  const rates = { used: tokens.map((_, i) => rate(i)), expired: 0, isRestless: false }
  return stablePool({ ...listing, fixed: { ...fixed, rateProviders: tokens } }, { ...state, rates })
}

function vaultV3Pool(planned: Plan): Pool {
  const tokens = toTokens(Math.min(planned.count, 5))
  const scales = tokens.map((_, i) => scaleOf(planned, i))
  const fixed = { vault: tokenAt(0xba3), scales, minTrade: 1n }
  return stableV3Pool(
    { kind: 'stable-v3', source: 'BALANCER_V3_STABLE', address, tokens, fixed },
    {
      balances: balancesOf(planned, tokens.length, (i) => rateOf(planned, i)),
      rates: tokens.map((_, i) => rateOf(planned, i)),
      ...{ fee: BigInt(planned.feeBps) * 10n ** 14n, aggregateFee: 0n, isClosed: false, isRestless: false },
      amplification: BigInt(Math.round(10 ** Math.min(planned.amplification, 3.7) * 1_000)),
    },
  )
}

function curvePool(planned: Plan, isJoint: boolean): Pool {
  const tokens = toTokens(Math.min(planned.count, 4))
  const decimals = planned.decimals.slice(0, tokens.length)
  const fixed = { form: 0, precision: 100, decimals, hasRates: true, isFloating: false, nativeIndex: -1 }
  return stableSwapPool(
    { kind: 'curve', source: 'CURVE', address, tokens, fixed },
    {
      balances: balancesOf(planned, tokens.length, (i) => rateOf(planned, i)),
      rates: tokens.map((_, i) => rateOf(planned, i) * scaleOf(planned, i)),
      amplification: BigInt(Math.round(10 ** planned.amplification * 100)),
      ...{ fee: BigInt(planned.feeBps) * 10n ** 6n, adminFee: 5_000_000_000n, offpegMultiplier: 0n },
      ...{ isJoint, isUsable: true, isMoving: false },
    },
  )
}

function pairPool(planned: Plan, isStable: boolean): Pool {
  const [reserve0, reserve1] = balancesOf(planned, 2, unrated) as [bigint, bigint]
  const units = [0, 1].map((i) => 10n ** BigInt(planned.decimals[i]!)) as [bigint, bigint]
  return solidlyPool(
    {
      ...{ kind: 'solidly', source: 'AERODROME_V2', address, tokens: toTokens(2) },
      fixed: { factory: tokenAt(0xfac), isStable, units },
    },
    { reserve0, reserve1, fee: planned.feeBps, isPaused: false },
  )
}

function pegPool({ feeBps, decimals: [places] }: Plan): Pool {
  const unit = 10n ** BigInt(18 - places!)
  const fee = BigInt(feeBps) * 10n ** 14n + 7n
  const most = [10n ** 30n, 10n ** 30n] as const
  return converterPool(
    {
      ...{ kind: 'converter', source: 'MAKER_PSM', address, tokens: toTokens(2) },
      fixed: { form: 'psm', isOneWay: false, unit, parties: [] },
    },
    { rates: [fee, fee], maxSold: most, maxBought: most },
  )
}

const stables: readonly (readonly [string, (planned: Plan) => Pool])[] = [
  ['Balancer stable pools of 2021', (planned) => vaultPool(planned, true, false)],
  ['Balancer stable pools', (planned) => vaultPool(planned, false, false)],
  ['Balancer composable stable pools', (planned) => vaultPool(planned, false, true)],
  ['Balancer v3 stable pools', vaultV3Pool],
  ['Curve pools', (planned) => curvePool(planned, false)],
  ['Curve pools that divide by n^n at once', (planned) => curvePool(planned, true)],
]
const drawn = fc.record({ planned: plan, part: double(-12, 2), first: fc.boolean() })

/** Sells a part of the first token or of the last; returns undefined where the pool fills nothing. */
function compare(pool: Pool, part: number, first: boolean) {
  const ends = [pool.tokens[0]!, pool.tokens[pool.tokens.length - 1]!] as const
  const [sell, buy] = first ? ends : ([ends[1], ends[0]] as const)
  const curve = pool.curve(sell, buy)
  const amount = BigInt(Math.ceil(Math.min(curve.capacity, 2 ** 100) * 10 ** (part - 2)))
  const exact = Number(pool.quote(sell, buy, amount))
  if (exact === 0 || Number(amount) > curve.capacity) return undefined
  const { rounding } = spotOf(pool, sell, buy)
  expect(rounding).toBeGreaterThanOrEqual(curve.rounding ?? 0)
  expect(rounding).toBeLessThanOrEqual(curve.most * (1 + 1e-6))
  return { exact, estimate: curve.bought(Number(amount)), rounding, curve }
}

describe('the rounding of a curve', () => {
  it.each([
    ...stables,
    ['volatile Solidly pools', (planned: Plan) => pairPool(planned, false)] as const,
    ['stable Solidly pools', (planned: Plan) => pairPool(planned, true)] as const,
    ['peg modules', pegPool] as const,
  ])('covers what exact quotes of %s pay beyond it', (_, toPool) => {
    let compared = 0
    fc.assert(
      fc.property(drawn, ({ planned, part, first }) => {
        const found = compare(toPool(planned), part, first)
        if (found === undefined) return
        compared++
        expect(found.exact).toBeLessThanOrEqual(found.estimate * (1 + 1e-12) + found.rounding)
      }),
      { numRuns: 3_000, seed: 1 },
    )
    expect(compared).toBeGreaterThan(500)
  })

  it.each(['v2', 'v3', 'weighted', 'weightedV3', 'algebra', 'converter', 'curveNg'] as const)(
    'covers what exact quotes of %s pools pay beyond it, in dust too',
    (kind) => {
      let compared = 0
      fc.assert(
        fc.property(
          plans({ kinds: [kind], most: 1 }),
          double(2, 24),
          double(-6, 2),
          fc.boolean(),
          ([planned], depth, part, first) => {
            const found = compare(build([{ ...planned!, depth }])[0]!, part, first)
            if (found === undefined) return
            compared++
            expect(found.exact).toBeLessThanOrEqual(found.estimate * (1 + 1e-12) + found.rounding)
          },
        ),
        { numRuns: 1_000, seed: 2 },
      )
      expect(compared).toBeGreaterThan(250)
    },
  )

  it.each(stables)('is a few units with 18 decimals in balanced %s', (_, toPool) => {
    fc.assert(
      fc.property(plan, double(9, 27), (planned, size) => {
        const pool = toPool({ ...planned, size, skews: planned.skews.map(() => 0) })
        const [sell, buy] = pool.tokens as [Pool['address'], Pool['address']]
        const { rounding = 0, most } = pool.curve(sell, buy)
        // `most` is 10^size of these units.
        if (most > 1e6) expect(rounding).toBeLessThan((50 / 10 ** size) * most + 1)
      }),
      { numRuns: 500, seed: 3 },
    )
  })
})

describe('curves of dust pools', () => {
  it.each(stables)('have the slope of what %s buy', (_, toPool) => {
    let compared = 0
    fc.assert(
      fc.property(plan, double(-3, 0), double(2, 8), (planned, part, size) => {
        const pool = toPool({ ...planned, size, amplification: Math.min(planned.amplification, 4) })
        const [sell, buy] = pool.tokens as [Pool['address'], Pool['address']]
        const curve = pool.curve(sell, buy)
        if (!(curve.capacity > 0)) return
        // Of both balances: nearly all is bought beyond.
        const sold = (curve.capacity / 100) * 10 ** part
        const step = sold * 2e-5
        const [before, after] = [curve.bought(sold - step), curve.bought(sold + step)]
        // Nothing is left to buy far off balance.
        const noise = (after * 1e-15) / Math.max(after - before, Number.MIN_VALUE)
        if (!(noise < 1e-7)) return
        compared++
        const ratio = (curve.slope(sold) * 2 * step) / (after - before)
        expect(Math.abs(ratio - 1)).toBeLessThan(1e-5 + noise * 10)
      }),
      { numRuns: 2_000, seed: 4 },
    )
    expect(compared).toBeGreaterThan(200)
  })
})
