import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Pool } from '../../../../service/pools/pool.ts'
import { stablePool } from '../../../../service/pools/stable.ts'
import { findRoute } from '../../../../service/routing/findRoute.ts'
import {
  buy,
  ground,
  marketOf,
  mid,
  requestOf,
  sell,
  tokenAt,
  v2Pool,
} from '../../../helpers/service/randomPools.ts'
import { slow } from '../../../helpers/slow.ts'
import { runBranches } from '../byHand.ts'
import { build, plans, weightedOf } from '../mixed.ts'

slow('Many cases are drawn at random.')

const tokens = [sell, buy, mid]
const balance = fc
  .double({ min: 23, max: 23.5, noNaN: true })
  .map((exponent) => BigInt(Math.round(10 ** exponent)))
const balances = fc.tuple(balance, balance, balance)
const amount = fc
  .double({ min: 18, max: 20.3, noNaN: true })
  .map((exponent) => BigInt(Math.ceil(10 ** exponent)))
const fee = fc.bigInt({ min: 10n ** 14n, max: 10n ** 16n })

const weighted = fc
  .record({
    balances,
    fee,
    first: fc.integer({ min: 10, max: 60 }),
    second: fc.integer({ min: 10, max: 30 }),
  })
  .map(({ balances, fee, first, second }) => {
    const weights = [first, second, 100 - first - second].map((part) => BigInt(part) * 10n ** 16n)
    return weightedOf(tokens, balances, weights, fee, 0)
  })

const stable = fc
  .record({ balances, fee, amplification: fc.bigInt({ min: 5_000n, max: 1_000_000n }) })
  .map(({ balances, fee, amplification }) => stableOf(balances, amplification, fee))

/** From 0.1 % to 20 % of a balance. */
const share = fc.double({ min: -3, max: -0.7, noNaN: true }).map((exponent) => 10 ** exponent)

describe('pools that trade two pairs in one route', () => {
  it.each([
    ['weighted', weighted],
    ['stable', stable],
  ])('comes within a hundred-thousandth of the best division of the input of a %s pool', (_, arbitrary) => {
    let shared = 0
    fc.assert(
      fc.property(arbitrary, share, balance, (pool, part, depth) => {
        const sold = BigInt(Math.round(Number(heldOf(pool)) * part))
        const price = Number(pool.quote(sell, buy, 10n ** 15n)) / Number(pool.quote(sell, mid, 10n ** 15n))
        const back = v2Pool(
          { tokens: [1, 2], reserves: [Math.round(Number(depth) * price), Number(depth)], feePpm: 500 },
          1,
        )
        const route = findRoute(marketOf([pool, back]), ground, requestOf(sold))
        if (!route) return
        expect(runBranches(route)).toBe(route.returns)
        const best = bestDivision(pool, back, sold)
        expect(Number(route.returns) / Number(best)).toBeGreaterThan(1 - 1e-5)
        if (route.edges.length === 3) shared++
      }),
      { endOnFailure: true, numRuns: 100, seed: 1 },
    )
    expect(shared).toBeGreaterThan(30)
  })

  it('returns no less than with each pool used once, also for most of its balance', () => {
    let more = 0
    fc.assert(
      fc.property(plans({ kinds: ['weighted', 'v2'], fewest: 4, most: 9 }), amount, (planned, sold) => {
        const market = marketOf(build(planned))
        const route = findRoute(market, ground, requestOf(sold))
        // Branches that fail alone share no pool; without a price of gas they cost nothing.
        const single = findRoute(market, ground, requestOf(sold, { apart: true }))
        if (route === undefined || single === undefined) return
        expect(Number(route.returns)).toBeGreaterThan(Number(single.returns) * (1 - 1e-6))
        if (Number(route.returns) > Number(single.returns) * (1 + 1e-6)) more++
      }),
      { endOnFailure: true, numRuns: 150, seed: 2 },
    )
    expect(more).toBeGreaterThan(10)
  })
})

describe('pools that cannot trade all their pairs in one route', () => {
  it('returns no less than with any one pair of each such pool', () => {
    let chosen = 0
    fc.assert(
      fc.property(
        plans({ kinds: ['weighted', 'v2', 'v2'], fewest: 8, most: 14 }),
        amount,
        (planned, sold) => {
          const pools = build(planned)
          const three = pools.filter((pool) => pool.tokens.length === 3)
          if (three.length === 0 || three.length > 2) return
          const request = requestOf(sold, { apart: true })
          const route = findRoute(marketOf(pools), ground, request)
          if (route === undefined) return
          for (const some of narrowed(pools)) {
            const other = findRoute(marketOf(some), ground, request)
            expect(Number(route.returns)).toBeGreaterThanOrEqual(Number(other?.returns ?? 0n) * (1 - 1e-6))
          }
          chosen++
        },
      ),
      { endOnFailure: true, numRuns: 120, seed: 3 },
    )
    expect(chosen).toBeGreaterThan(30)
  })
})

/** Every choice of one pair per pool. */
function narrowed(pools: readonly Pool[]): Pool[][] {
  return pools.reduce<Pool[][]>(
    (choices, pool) => {
      const { tokens } = pool
      const pairs = tokens.flatMap((one, i) => tokens.slice(i + 1).map((other) => [one, other]))
      return choices.flatMap((some) => pairs.map((pair) => [...some, { ...pool, tokens: pair }]))
    },
    [[]],
  )
}

function heldOf(pool: Pool): bigint {
  return BigInt(Math.round(pool.curve(buy, sell).most))
}

function stableOf(balances: readonly bigint[], amplification: bigint, fee: bigint): Pool {
  const address = '0x000000000000000000000000000000000000a000'
  const [vault, poolId] = [tokenAt(0xba1), `${address}${'0'.repeat(24)}`] as const
  return stablePool(
    {
      kind: 'stable',
      source: 'BALANCER_V2_STABLE',
      address,
      tokens,
      fixed: { vault, poolId, scales: [1n, 1n, 1n], isEarly: false },
    },
    {
      holdings: balances.map((cash) => ({ cash, managed: 0n })),
      fee,
      isPaused: false,
      amplification,
      isMoving: false,
    },
  )
}

/** Sells a part to the direct pair, then the rest by the other token; golden-section search in integers. */
function bestDivision(pool: Pool, back: Pool, sold: bigint): bigint {
  let best = 0n
  const returned = (part: number) => {
    const direct = BigInt(Math.round(Number(sold) * part))
    const rest = sold - direct
    const first = direct > 0n ? pool.quote(sell, buy, direct) : 0n
    const after = first > 0n ? pool.after!(sell, buy, direct) : pool
    const between = rest > 0n ? after.quote(sell, mid, rest) : 0n
    const all = first + (between > 0n ? back.quote(mid, buy, between) : 0n)
    if (all > best && (rest <= 0n || between > 0n)) best = all
    return all
  }
  for (let [low, high] = [0, 1]; high - low > 1e-6; ) {
    const [one, other] = [low + (high - low) / 3, high - (high - low) / 3]
    if (returned(one) < returned(other)) low = one
    else high = other
  }
  returned(0)
  returned(1)
  return best
}
