import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Address } from '../../../service/config.ts'
import type { Pool } from '../../../service/pools/pool.ts'
import type { RoutingInput } from '../../../service/routing/candidates.ts'
import { findRoute } from '../../../service/routing/findRoute.ts'
import type { Route, RouteRequest } from '../../../service/routing/route.ts'
import type { RouteLimits } from '../../../service/routing/routeLimits.ts'
import { nativeTokenAddress } from '../../../service/tokens/registry.ts'
import {
  buy,
  ground,
  marketOf,
  mid,
  requestOf,
  sell,
  tokenAt,
  v2Pool,
} from '../../helpers/service/randomPools.ts'
import { freely } from '../../helpers/service/requests.ts'
import { slow } from '../../helpers/slow.ts'
import { withBound } from './bound.ts'
import { everyPath, runBranches } from './byHand.ts'
import { build, plans, weightedOf } from './mixed.ts'

slow('Many cases are drawn at random.')

const all = [
  'v2',
  'v3',
  'weighted',
  'volatile',
  'stable',
  'weightedV3',
  'stableV3',
  'curve',
  'algebra',
  'curveNg',
  'converter',
  'v4',
  'slipstream',
  'stableV2',
  'composable',
  'pancake',
] as const
const amount = fc
  .double({ min: 17, max: 21, noNaN: true })
  .map((exponent) => BigInt(Math.ceil(10 ** exponent)))
const modest = fc
  .double({ min: 17, max: 20.3, noNaN: true })
  .map((exponent) => BigInt(Math.round(10 ** exponent)))
/** Above this, a path may have to sell less on one hop to fit the next. */
const small = fc
  .double({ min: 17, max: 18.5, noNaN: true })
  .map((exponent) => BigInt(Math.round(10 ** exponent)))
const never = () => false
const atOnce = () => true

describe('findRoute: returns', () => {
  it('does not depend on the addresses of tokens', () => {
    const cases = [
      {
        kinds: ['v2', 'weighted'] as const,
        names: fc.uniqueArray(fc.integer({ min: 0, max: 99 }), exactly(5)),
      },
      {
        // Ticks refer to the lower token, so the order must hold.
        kinds: all,
        names: fc
          .uniqueArray(fc.integer({ min: 0, max: 99 }), exactly(5))
          .map((names) => names.sort((a, b) => a - b)),
      },
    ]
    for (const { kinds, names } of cases) {
      fc.assert(
        fc.property(
          plans({ kinds, fewest: 5, most: 14 }),
          amount,
          names,
          fc.boolean(),
          (planned, sold, called, apart) => {
            const [from, to, ...others] = called.map(tokenAt) as [Address, Address, ...Address[]]
            const renamed: RoutingInput = { wrapped: others[2]!, connectors: others }
            const request = { ...requestOf(sold, { apart }), sell: from, buy: to }
            const one = findRoute(marketOf(build(planned)), ground, requestOf(sold, { apart }))
            const other = findRoute(marketOf(build(planned, called)), renamed, request)
            expect(other?.returns).toBe(one?.returns)
            expect(other?.gas).toBe(one?.gas)
          },
        ),
        { numRuns: 25, seed: 1 },
      )
    }
  })

  it('returns the same route on a repeated search and for any order of the pools', () => {
    const shuffled = plans({ kinds: all, fewest: 5, most: 14 }).chain((planned) => {
      const places = planned.map((_, i) => i)
      return fc.record({
        planned: fc.constant(planned),
        order: fc.shuffledSubarray(places, exactly(places.length)),
      })
    })
    fc.assert(
      fc.property(shuffled, amount, fc.boolean(), ({ planned, order }, sold, apart) => {
        const pools = build(planned)
        const request = requestOf(sold, { apart, gasPrice: 10n ** 9n })
        const route = withBound(findRoute(marketOf(pools), ground, request, never))
        expect(withBound(findRoute(marketOf(pools), ground, request, never))).toEqual(route)
        const reordered = marketOf(order.map((i) => pools[i]!))
        expect(withBound(findRoute(reordered, ground, request, never))).toEqual(route)
      }),
      { numRuns: 30, seed: 2 },
    )
  })

  it('loses no more than a ten-thousandth when a pool is added', () => {
    const ratios: number[] = []
    const gas = fc.option(fc.double({ min: 2, max: 5, noNaN: true }))
    // A wei of gas is then worth one unit.
    const coinBought = { ...ground, wrapped: buy }
    fc.assert(
      fc.property(plans({ kinds: all, fewest: 5, most: 14 }), modest, gas, (planned, sold, share) => {
        const pools = build(planned)
        const gasPrice = share === null ? 0n : BigInt(Math.ceil(Number(sold) / 70_000 / 10 ** share))
        const netOf = (some: Pool[]) => {
          const route = findRoute(marketOf(some), coinBought, requestOf(sold, { gasPrice }))
          return route && route.returns - route.gas * gasPrice
        }
        const [less, more] = [netOf(pools.slice(0, -1)), netOf(pools)]
        if (less === undefined || less < 10n ** 9n) return
        expect(more).toBeDefined()
        ratios.push(Number(more) / Number(less))
      }),
      { numRuns: 120, seed: 3 },
    )
    expect(ratios.length).toBeGreaterThan(50)
    expect(Math.min(...ratios)).toBeGreaterThan(0.9999)
  })
})

describe('findRoute: single paths', () => {
  it('returns no less than the best single path after gas, to a millionth', () => {
    const lost: number[] = []
    const gas = fc.option(fc.double({ min: 2, max: 5, noNaN: true }))
    const coinBought = { ...ground, wrapped: buy }
    fc.assert(
      fc.property(plans({ kinds: all, fewest: 4, most: 9 }), amount, gas, (planned, sold, share) => {
        const pools = build(planned)
        const gasPrice = share === null ? 0n : BigInt(Math.ceil(Number(sold) / 70_000 / 10 ** share))
        const route = findRoute(marketOf(pools), coinBought, requestOf(sold, { gasPrice }))
        const paths = everyPath(pools, sell, buy, sold, 2)
        if (paths.length === 0) return
        const best = paths.reduce(
          (most, { returns, gas }) => {
            const net = returns - (gas + baseGas) * gasPrice
            return net > most ? net : most
          },
          -(10n ** 60n),
        )
        expect(route).toBeDefined()
        const net = route!.returns - route!.gas * gasPrice
        lost.push(Number(best - net) / Number(route!.returns))
      }),
      { numRuns: 150, seed: 4 },
    )
    expect(Math.max(...lost)).toBeLessThan(1e-6)
  })

  it('returns no less than the best single path, to a millionth, when the search stops at once', () => {
    let found = 0
    fc.assert(
      fc.property(plans({ kinds: all, fewest: 4, most: 9 }), small, (planned, sold) => {
        const pools = build(planned)
        const route = findRoute(marketOf(pools), ground, requestOf(sold), atOnce)
        const paths = everyPath(pools, sell, buy, sold, 2)
        const best = mostOf(paths)
        expect(Number(route?.returns ?? 0n)).toBeGreaterThanOrEqual(Number(best) * (1 - 1e-6))
        if (!route) return
        found++
        expect(route.edges.length).toBe(route.tokens.length - 1)
        expect(runBranches(route)).toBe(route.returns)
      }),
      { numRuns: 120, seed: 5 },
    )
    expect(found).toBeGreaterThan(40)
  })

  it('fills a trade that needs several paths when the search stops at once', () => {
    let parted = 0
    const much = fc
      .double({ min: 20, max: 23, noNaN: true })
      .map((exponent) => BigInt(Math.ceil(10 ** exponent)))
    fc.assert(
      fc.property(plans({ kinds: ['v3'], fewest: 4, most: 9 }), much, (planned, sold) => {
        const pools = build(planned)
        const whole = findRoute(marketOf(pools), ground, requestOf(sold))
        const route = findRoute(marketOf(pools), ground, requestOf(sold), atOnce)
        expect(route === undefined).toBe(whole === undefined)
        if (!route) return
        if (route.edges.length >= route.tokens.length) parted++
        expect(runBranches(route)).toBe(route.returns)
      }),
      { numRuns: 2_000, seed: 6 },
    )
    expect(parted).toBeGreaterThan(5)
  })

  it('finds a path within the gas limit when the best path exceeds it', () => {
    let bound = 0
    const lost: number[] = []
    fc.assert(
      fc.property(
        plans({ kinds: all, fewest: 4, most: 9 }),
        modest,
        fc.bigInt({ min: 150_000n, max: 400_000n }),
        (planned, sold, gasLimit) => {
          const pools = build(planned)
          const paths = everyPath(pools, sell, buy, sold, 2)
          const within = paths.filter(({ gas }) => gas + baseGas <= gasLimit)
          if (within.length === 0) return
          if (within.length < paths.length) bound++
          const best = mostOf(within)
          const route = findRoute(marketOf(pools), ground, requestOf(sold, { gasLimit }))
          expect(route).toBeDefined()
          lost.push(1 - Number(route!.returns) / Number(best))
        },
      ),
      { endOnFailure: true, numRuns: 300, seed: 6 },
    )
    expect(bound).toBeGreaterThan(50)
    // Only a dozen gas prices are searched.
    expect(lost.filter((part) => part > 0).length).toBeLessThanOrEqual(lost.length / 100)
  })
})

describe('findRoute: pools of three tokens', () => {
  const limits: fc.Arbitrary<Partial<RouteLimits>> = fc.record({
    complexityLevel: fc.constantFrom(0, 1, 2),
    parts: fc.integer({ min: 1, max: 8 }),
    mainRouteParts: fc.integer({ min: 1, max: 5 }),
    connectorCount: fc.integer({ min: 0, max: 3 }),
    sources: fc.constantFrom(freely.sources, new Set(['UNISWAP_V3', 'BALANCER_V2_WEIGHTED'])),
    avoid: fc.constantFrom(new Set<Address>(), new Set([0xa000, 0xa002].map(poolNamed))),
    gasPrice: fc.constantFrom(0n, 10n ** 9n, 10n ** 13n),
    gasLimit: fc.bigInt({ min: 100_000n, max: 900_000n }),
    apart: fc.boolean(),
  })

  it('keeps within every limit', () => {
    let found = 0
    fc.assert(
      fc.property(plans({ kinds: all, fewest: 8, most: 16 }), amount, limits, (planned, sold, chosen) => {
        const route = findRoute(marketOf(build(planned)), ground, requestOf(sold, chosen))
        if (!route) return
        found++
        const { edges, tokens } = route
        const connectors = tokens.length - 2
        expect(connectors).toBeLessThanOrEqual(chosen.connectorCount!)
        if (chosen.complexityLevel! < 2) {
          expect(longestWay(route)).toBeLessThanOrEqual(chosen.complexityLevel! + 1)
        }
        expect(edges.length - connectors).toBeLessThanOrEqual(chosen.parts!)
        expect(edges.filter(({ from }) => from === 0).length).toBeLessThanOrEqual(chosen.mainRouteParts!)
        expect(route.gas).toBeLessThanOrEqual(chosen.gasLimit!)
        expect(edges.every(({ pool }) => chosen.sources!.has(pool.source))).toBe(true)
        expect(edges.some(({ pool }) => chosen.avoid!.has(pool.address))).toBe(false)
        expect(runBranches(route)).toBe(route.returns)
      }),
      { numRuns: 250, seed: 7 },
    )
    expect(found).toBeGreaterThan(40)
  })

  it('uses a pool twice at most in one branch, and never sells it a token bought from it', () => {
    let used = 0
    let shared = 0
    fc.assert(
      fc.property(
        plans({ kinds: ['weighted', 'weighted', 'v2'], fewest: 6, most: 12 }),
        amount,
        fc.boolean(),
        (planned, sold, apart) => {
          const route = findRoute(marketOf(build(planned)), ground, requestOf(sold, { apart }))
          if (!route) return
          const hops = route.branches.flatMap(({ edges }) => edges)
          for (const { pool } of hops) {
            const own = hops.filter((hop) => hop.pool === pool)
            if (own.length === 1) continue
            shared++
            expect(apart).toBe(false)
            expect(pool.tokens.length).toBe(3)
            expect(own.length).toBe(2)
            expect(own.some(({ from }) => own.some(({ to }) => to === from))).toBe(false)
          }
          expect(runBranches(route)).toBe(route.returns)
          used += route.edges.filter(({ pool }) => pool.tokens.length === 3).length
        },
      ),
      { numRuns: 80, seed: 8 },
    )
    expect(used).toBeGreaterThan(40)
    expect(shared).toBeGreaterThan(10)
  })

  it('sells to two pairs of one pool where that returns more than its direct pair', () => {
    const three = weightedOf(
      [sell, buy, mid],
      [10n ** 24n, 10n ** 24n, 10n ** 24n],
      [4n * 10n ** 17n, 3n * 10n ** 17n, 3n * 10n ** 17n],
      10n ** 15n,
      0,
    )
    const back = v2Pool({ tokens: [1, 2], reserves: [1e24, 1e24], feePpm: 500 }, 1)
    const route = findRoute(marketOf([three, back]), ground, requestOf(10n ** 23n))!
    expect(route.edges.filter(({ pool }) => pool === three).length).toBe(2)
    expect(route.returns).toBeGreaterThan((three.quote(sell, buy, 10n ** 23n) * 101n) / 100n)
    expect(runBranches(route)).toBe(route.returns)

    const apart = findRoute(marketOf([three, back]), ground, requestOf(10n ** 23n, { apart: true }))!
    expect(apart.edges.filter(({ pool }) => pool === three).length).toBe(1)
    expect(apart.returns).toBe(three.quote(sell, buy, 10n ** 23n))
  })
})

describe('findRoute: separate branches', () => {
  const ends = fc.constantFrom(
    [sell, buy],
    [nativeTokenAddress, buy],
    [sell, nativeTokenAddress],
    [nativeTokenAddress, sell],
    [buy, nativeTokenAddress],
  )

  it('builds branches that share no pool and no intermediate token, with the return of their execution', () => {
    let several = 0
    let withCoin = 0
    fc.assert(
      fc.property(plans({ kinds: all, fewest: 8, most: 16 }), amount, ends, (planned, sold, [from, to]) => {
        const request: RouteRequest = { ...requestOf(sold, { apart: true }), sell: from!, buy: to! }
        const route = findRoute(marketOf(build(planned)), ground, request)
        if (!route) return
        const { branches, tokens } = route
        if (branches.length > 1) several++
        if (branches.length > 1 && (from === nativeTokenAddress || to === nativeTokenAddress)) withCoin++
        expect(runBranches(route)).toBe(route.returns)

        const between = branches.map(({ edges }) => {
          const passed = edges.flatMap((edge) => [edge.from, edge.to])
          return new Set(passed.filter((token) => token > 0 && token < tokens.length - 1 && !isWrap(token)))
        })
        const shared = between.flatMap((own) => [...own])
        expect(new Set(shared).size).toBe(shared.length)
        const hops = branches.flatMap(({ edges }) => edges.map(({ pool }) => pool)).filter(isMarket)
        expect(new Set(hops).size).toBe(hops.length)

        // Each branch wraps for itself.
        for (const { edges } of branches) {
          if (from === nativeTokenAddress) expect(edges[0]?.pool.source).toBe('WETH')
          if (to === nativeTokenAddress) expect(edges.at(-1)?.pool.source).toBe('WETH')
        }

        function isWrap(token: number) {
          return (
            (from === nativeTokenAddress && token === 1) ||
            (to === nativeTokenAddress && token === tokens.length - 2)
          )
        }
      }),
      { numRuns: 150, seed: 9 },
    )
    expect(several).toBeGreaterThan(15)
    expect(withCoin).toBeGreaterThan(3)
  })

  it('sums the amounts of all branches in the edges of the route', () => {
    fc.assert(
      fc.property(plans({ kinds: all, fewest: 8, most: 16 }), modest, ends, (planned, sold, [from, to]) => {
        const request = { ...requestOf(sold, { apart: true }), sell: from!, buy: to! }
        const route = findRoute(marketOf(build(planned)), ground, request)
        if (!route) return
        const { edges, tokens, amount: given, returns } = route
        tokens.forEach((_, token) => {
          const paid = total(edges.flatMap((edge) => (edge.to === token ? [edge.bought] : [])))
          const spent = total(edges.flatMap((edge) => (edge.from === token ? [edge.sold] : [])))
          if (token === 0) expect(spent).toBe(given)
          else expect(paid).toBe(token === tokens.length - 1 ? returns : spent)
        })
        expect(edges.filter(({ pool }) => !isMarket(pool)).length).toBe(
          Number(from === nativeTokenAddress) + Number(to === nativeTokenAddress),
        )
      }),
      { numRuns: 80, seed: 10 },
    )
  })
})

const baseGas = 95_000n

function exactly(length: number) {
  return { minLength: length, maxLength: length }
}

function mostOf(paths: readonly { returns: bigint }[]): bigint {
  let most = 0n
  for (const { returns } of paths) if (returns > most) most = returns
  return most
}

function poolNamed(name: number): Address {
  return `0x${name.toString(16).padStart(40, '0')}`
}

function isMarket({ source }: Pool): boolean {
  return source !== 'WETH'
}

function total(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, one) => sum + one, 0n)
}

function longestWay({ tokens, edges }: Route): number {
  const hops = tokens.map(() => 0)
  for (const { from, to } of edges) hops[to] = Math.max(hops[to]!, hops[from]! + 1)
  return hops.at(-1)!
}
