import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMarketBound } from '../../../bench/routing/marketBound.ts'
import { createSynthetic } from '../../../bench/routing/synthetic.ts'
import { createTrades, toAmount, toRouteLimits } from '../../../bench/routing/trades.ts'
import { toPool } from '../../../service/pools/registry.ts'
import { findRoute } from '../../../service/routing/findRoute.ts'
import { createPoolGraph } from '../../../service/routing/market.ts'
import { certify } from '../../../service/routing/optimizer/certificate.ts'
import {
  buy,
  ground,
  marketOf,
  requestOf,
  sell,
  tokenAt,
  v2Pool,
  v3Pool,
} from '../../helpers/service/randomPools.ts'
import { slow } from '../../helpers/slow.ts'
import { everyPath, runBranches } from './byHand.ts'
import { build, plans } from './mixed.ts'

slow('A market of 3,000 pools is searched and bounded.')

function syntheticMarket(pools: number, isReversed = false) {
  const { config, tokens, standings } = createSynthetic(pools)
  const listed = tokens.slice(0, config.tokens.length)
  const market = createPoolGraph(new Set(listed.map(({ address }) => address)))
  for (const standing of isReversed ? standings.toReversed() : standings) {
    market.put(standing.listing.address, standing.listing.tokens, () => toPool(standing))
  }
  const chain = { wrapped: config.wrapped, connectors: config.connectors }
  return { market, chain, listed, limits: toRouteLimits(config, 0n), standings }
}

const pairOf = (one: number, other: number, index: number, price = 1) =>
  v2Pool({ tokens: [one, other], reserves: [1e24, 1e24 * price], feePpm: 3_000 }, index)

describe('admission by price', () => {
  it('reaches the bound over all pools where a fixed choice of candidates lost 70 to 2,400 bps', () => {
    const { market, chain, listed, limits, standings } = syntheticMarket(3_000)
    const boundOf = createMarketBound(standings, listed)
    for (const [from, to, usd] of [
      [1_140, 477, 1e4],
      [763, 11, 1e5],
      [226, 47, 1e5],
      [966, 317, 1e6],
      [426, 43, 1e6],
    ] as const) {
      const amount = toAmount(listed[from]!, usd)
      const request = { sell: listed[from]!.address, buy: listed[to]!.address, amount, limits }
      const route = findRoute(market, chain, request)!
      expect(Number(route.returns) / boundOf(request)).toBeGreaterThan(0.99999)
    }
  })

  it('certifies at least the bound computed from all arcs, and hardly more', () => {
    const { market, chain, listed, limits, standings } = syntheticMarket(1_000)
    const boundOf = createMarketBound(standings, listed)
    const parts: number[] = []
    for (const usd of [1e3, 1e5, 1e6]) {
      const draw = createTrades(listed, limits, usd, usd + 9)
      for (let trade = 0; trade < 15; trade++) {
        const request = draw()
        const route = findRoute(market, chain, request)
        if (!route) continue
        const { upper, over } = certify(route)
        expect(over).toBe('market')
        expect(upper).toBeGreaterThanOrEqual(route.returns)
        parts.push(Number(upper) / boundOf(request))
      }
    }
    expect(parts.length).toBeGreaterThan(35)
    // Neither reaches the minimum exactly.
    expect(Math.min(...parts)).toBeGreaterThan(1 - 1e-7)
    expect(Math.max(...parts)).toBeLessThan(1 + 1e-5)
  })

  it('stays below the bound of routes with few first hops, and comes close to it', () => {
    const { market, chain, listed, limits, standings } = syntheticMarket(1_000)
    const boundOf = createMarketBound(standings, listed)
    const draw = createTrades(listed, { ...limits, mainRouteParts: 3 }, 1e6, 5)
    const parts: number[] = []
    for (let trade = 0; trade < 30; trade++) {
      const request = draw()
      const route = findRoute(market, chain, request)
      if (route?.edges.filter(({ from }) => from === 0).length !== 3) continue
      const bound = boundOf(request, 3)
      expect(bound).toBeLessThanOrEqual(boundOf(request) * (1 + 1e-9))
      parts.push(Number(route.returns) / bound)
    }
    expect(parts.length).toBeGreaterThan(10)
    expect(Math.max(...parts)).toBeLessThan(1 + 1e-9)
    expect(parts.filter((part) => part > 0.9999).length / parts.length).toBeGreaterThan(0.5)
  })

  it('returns the same route and the same bound for any order of the pools', () => {
    const [one, other] = [syntheticMarket(1_000), syntheticMarket(1_000, true)]
    const draw = createTrades(one.listed, { ...one.limits, gasPrice: 10n ** 9n }, 1e5, 7)
    for (let trade = 0; trade < 20; trade++) {
      const request = draw()
      const [first, second] = [one, other].map(({ market, chain }) => findRoute(market, chain, request))
      expect(second?.returns).toBe(first?.returns)
      expect(second?.edges.map(({ pool }) => pool.address)).toEqual(
        first?.edges.map(({ pool }) => pool.address),
      )
      expect(second?.evidence.bound()).toEqual(first?.evidence.bound())
    }
  })

  it('goes through two tokens in a row that only admission finds', () => {
    // Neither 6 nor 7 trades against both ends or a connector.
    const pools = [pairOf(0, 6, 0), pairOf(6, 7, 1), pairOf(1, 7, 2), pairOf(0, 1, 3, 0.98)]
    const route = findRoute(marketOf(pools, [tokenAt(6), tokenAt(7)]), ground, requestOf(10n ** 22n))!
    expect(route.tokens).toEqual([sell, tokenAt(6), tokenAt(7), buy])
    expect(route.edges.length).toBe(4)
  })

  it('takes no part in a token that is not trusted, and does not count it in the bound', () => {
    const direct = pairOf(0, 1, 0)
    const bait = [pairOf(0, 6, 1, 5), pairOf(1, 6, 2, 0.2)]
    const boundWith = (trusted: readonly ReturnType<typeof tokenAt>[]) =>
      certify(findRoute(marketOf([direct, ...bait], trusted), ground, requestOf(10n ** 20n))!)
    const alone = certify(findRoute(marketOf([direct]), ground, requestOf(10n ** 20n))!)
    expect(boundWith([])).toEqual(alone)
    expect(boundWith([tokenAt(6)]).upper).toBeGreaterThan(2n * alone.upper)
  })

  it('leaves pools of other sources and avoided ones out of the route and of the bound', () => {
    const pools = [pairOf(0, 1, 0, 0.9), pairOf(0, 6, 1), pairOf(1, 6, 2)]
    const market = marketOf(pools, [tokenAt(6)])
    const without = certify(findRoute(marketOf(pools.slice(0, 1)), ground, requestOf(10n ** 20n))!)
    const avoid = new Set([pools[1]!.address])
    expect(certify(findRoute(market, ground, requestOf(10n ** 20n, { avoid }))!)).toEqual(without)
    const positions = [{ below: 3_000, above: 3_000, liquidity: 1e25 }]
    const v3 = [0, 1].map((end, i) => v3Pool({ tokens: [end, 6], tick: 0, positions, feePpm: 500 }, 7 + i))
    const mixed = marketOf([pools[0]!, ...v3], [tokenAt(6)])
    const sources = new Set(['UNISWAP_V2'])
    expect(certify(findRoute(mixed, ground, requestOf(10n ** 20n, { sources }))!)).toEqual(without)
    expect(certify(findRoute(mixed, ground, requestOf(10n ** 20n))!).upper).toBeGreaterThan(without.upper)
  })

  it('uses a pool beyond the sixteenth of a pair when its price pays', () => {
    const deep = Array.from({ length: 20 }, (_, i) =>
      v2Pool({ tokens: [0, 1], reserves: [1e24, 0.9e24], feePpm: 3_000 }, i),
    )
    const shallow = v2Pool({ tokens: [0, 1], reserves: [1e22, 1e22], feePpm: 3_000 }, 30)
    const route = findRoute(marketOf([...deep, shallow]), ground, requestOf(10n ** 19n))!
    expect(route.edges.map(({ pool }) => pool.address)).toEqual([shallow.address])
  })

  it('sells into a concentrated pool that is out of range and so sells one token only', () => {
    // All liquidity is above the price: only token 0 is held.
    const positions = [{ below: -500, above: 3_000, liquidity: 1e24 }]
    const pool = v3Pool({ tokens: [0, 1], tick: 0, positions, feePpm: 500 }, 0)
    expect(pool.curve(sell, buy).most).toBe(0)
    const request = { ...requestOf(10n ** 18n), sell: buy, buy: sell }
    expect(findRoute(marketOf([pool]), ground, request)?.returns).toBe(pool.quote(buy, sell, 10n ** 18n))
    expect(findRoute(marketOf([pool]), ground, requestOf(10n ** 18n))).toBeUndefined()
  })

  it('prices a pool again after it changed, and a new pool at once', () => {
    const market = marketOf([pairOf(0, 6, 0), pairOf(1, 6, 1), pairOf(0, 1, 2, 0.9)], [tokenAt(6)])
    const through = () => findRoute(market, ground, requestOf(10n ** 18n))?.tokens.length
    expect(through()).toBe(3)
    const worse = pairOf(0, 6, 0, 0.5)
    market.put(worse.address, worse.tokens, () => worse)
    expect(through()).toBe(2)
    const better = pairOf(0, 6, 9)
    market.put(better.address, better.tokens, () => better)
    expect(through()).toBe(3)
  })
})

describe('complexity levels 0 and 1', () => {
  const amount = fc
    .double({ min: 17, max: 20, noNaN: true })
    .map((exponent) => BigInt(Math.ceil(10 ** exponent)))

  it.each([0, 1])('returns no less than each path and pair of paths of level %i', (complexityLevel) => {
    let compared = 0
    fc.assert(
      fc.property(plans({ kinds: ['v2', 'v3'], fewest: 5, most: 10 }), amount, (planned, sold) => {
        const pools = build(planned)
        const route = findRoute(marketOf(pools), ground, requestOf(sold, { complexityLevel }))
        const paths = everyPath(pools, sell, buy, sold, complexityLevel)
        const best = mostOf(paths)
        if (best < 10n ** 9n) return
        expect(route).toBeDefined()
        expect(runBranches(route!)).toBe(route!.returns)
        expect(certify(route!).over).toBe('candidates')
        const hops = Number(halves(pools, sold, complexityLevel)) / Number(route!.returns)
        expect(Math.max(hops, Number(best) / Number(route!.returns))).toBeLessThan(1 + 1e-6)
        compared++
      }),
      { numRuns: 60, seed: 8 },
    )
    expect(compared).toBeGreaterThan(15)
  })

  it('passes one connector at most on each path, also where several connectors carry parts', () => {
    const pools = [2, 3, 4].flatMap((connector, i) => [
      pairOf(0, connector, 2 * i),
      v2Pool({ tokens: [1, connector], reserves: [1e24, 1e24], feePpm: 3_000 }, 2 * i + 1),
    ])
    const between = [pairOf(2, 3, 10, 1.2), pairOf(3, 4, 11, 1.2)]
    const market = marketOf([...pools, ...between])
    const { edges, tokens } = findRoute(market, ground, requestOf(10n ** 22n, { complexityLevel: 1 }))!
    expect(tokens.length).toBe(5)
    expect(edges.every(({ from, to }) => from === 0 || to === tokens.length - 1)).toBe(true)
    const free = findRoute(market, ground, requestOf(10n ** 22n))!
    expect(free.edges.some(({ from, to }) => from > 0 && to < free.tokens.length - 1)).toBe(true)
  })
})

/** The most that two disjoint paths return, with half of the amount each. */
function halves(pools: ReturnType<typeof build>, sold: bigint, level: number): bigint {
  const paths = everyPath(pools, sell, buy, sold / 2n, level)
  let most = 0n
  for (const [i, one] of paths.entries()) {
    for (const other of paths.slice(i + 1)) {
      if (one.pools.some((pool) => other.pools.includes(pool))) continue
      if (one.returns + other.returns > most) most = one.returns + other.returns
    }
  }
  return most
}

function mostOf(paths: readonly { returns: bigint }[]): bigint {
  let most = 0n
  for (const { returns } of paths) if (returns > most) most = returns
  return most
}
