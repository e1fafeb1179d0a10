import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Address } from '../../../service/config.ts'
import type { Pool } from '../../../service/pools/pool.ts'
import { findRoute } from '../../../service/routing/findRoute.ts'
import type { Route } from '../../../service/routing/route.ts'
import type { RouteLimits } from '../../../service/routing/routeLimits.ts'
import { nativeTokenAddress } from '../../../service/tokens/registry.ts'
import {
  buy,
  far,
  ground,
  marketOf,
  mid,
  networks,
  requestOf,
  sell,
  tokenAt,
  v2Pool,
  v3Pool,
  weth,
} from '../../helpers/service/randomPools.ts'
import { freely } from '../../helpers/service/requests.ts'
import { withBound } from './bound.ts'

const amount = fc
  .double({ min: 0, max: 23, noNaN: true })
  .map((exponent) => BigInt(Math.ceil(10 ** exponent)))
const limits: fc.Arbitrary<Partial<RouteLimits>> = fc.record({
  complexityLevel: fc.constantFrom(0, 1, 2),
  parts: fc.integer({ min: 1, max: 8 }),
  mainRouteParts: fc.integer({ min: 1, max: 5 }),
  connectorCount: fc.integer({ min: 0, max: 3 }),
  sources: fc.constantFrom(freely.sources, new Set(['UNISWAP_V2']), new Set(['UNISWAP_V3'])),
  gasPrice: fc.constantFrom(0n, 10n ** 9n, 10n ** 13n),
  gasLimit: fc.bigInt({ min: 100_000n, max: 900_000n }),
})

describe('findRoute', () => {
  it('keeps within every limit', () => {
    let found = 0
    fc.assert(
      fc.property(networks(5, 16), amount, limits, (pools, sold, chosen) => {
        const route = findRoute(marketOf(pools), ground, requestOf(sold, chosen))
        if (!route) return
        found++
        const { edges, tokens } = route
        const connectors = tokens.length - 2
        expect(connectors).toBeLessThanOrEqual(chosen.connectorCount!)
        if (chosen.complexityLevel! < 2) {
          expect(longestPath(route)).toBeLessThanOrEqual(chosen.complexityLevel! + 1)
        }
        expect(edges.length - connectors).toBeLessThanOrEqual(chosen.parts!)
        expect(edges.filter(({ from }) => from === 0).length).toBeLessThanOrEqual(chosen.mainRouteParts!)
        expect(route.gas).toBeLessThanOrEqual(chosen.gasLimit!)
        expect(edges.every(({ pool }) => chosen.sources!.has(pool.source))).toBe(true)
      }),
      { numRuns: 400, seed: 1 },
    )
    expect(found).toBeGreaterThan(50)
  })

  it('returns the amount that the router computes, hop by hop in token order with rounded weights', () => {
    fc.assert(
      fc.property(networks(5, 16), amount, (pools, sold) => {
        const route = findRoute(marketOf(pools), ground, requestOf(sold))
        if (!route) return
        expect([route.tokens[0], route.tokens.at(-1)]).toEqual([sell, buy])
        expect(new Set(route.tokens).size).toBe(route.tokens.length)
        expect(new Set(route.edges.map(({ pool }) => pool)).size).toBe(route.edges.length)
        expect(execute(route)).toBe(route.returns)
        expect(route.returns).toBeGreaterThan(0n)
      }),
      { numRuns: 300, seed: 2 },
    )
  })

  const large = fc
    .double({ min: 21, max: 23, noNaN: true })
    .map((exponent) => BigInt(Math.ceil(10 ** exponent)))
  it.each([
    ['of any size', amount, 300],
    // The best pools return more than the next can take.
    ['that hardly fits anywhere', large, 2_000],
  ])('never returns less than the best single path for an amount %s', (_name, amounts, numRuns) => {
    fc.assert(
      fc.property(networks(4, 8), amounts, (pools, sold) => {
        const route = findRoute(marketOf(pools), ground, requestOf(sold))
        expect(route?.returns ?? 0n).toBeGreaterThanOrEqual(
          bestSinglePath(pools, sell, sold, new Set([sell])),
        )
      }),
      // Shrinking takes too long.
      { numRuns, seed: 3, endOnFailure: true },
    )
  })

  it('chooses the pool with the least rounding loss for a few units', () => {
    // Better before rounding, but of 996 its fee is 3, the other's 2.99.
    const tick = -89_876
    const price = 1.0001 ** -tick
    const positions = [{ below: 1_000, above: 1_000, liquidity: 1e24 }]
    const pools = [
      v2Pool({ tokens: [0, 2], reserves: [1e24, 1e24], feePpm: 3_000 }, 0),
      v3Pool({ tokens: [1, 2], tick, positions, feePpm: 3_000 }, 1),
      v2Pool({ tokens: [1, 2], reserves: [1e24 * price * 0.99999, 1e24], feePpm: 3_000 }, 2),
    ]
    const [first, rounding, fine] = pools as [Pool, Pool, Pool]
    const held = first.quote(sell, mid, 1_000n)
    const best = fine.quote(mid, buy, held)
    expect(best).toBeGreaterThan(rounding.quote(mid, buy, held))
    expect(findRoute(marketOf(pools), ground, requestOf(1_000n))?.returns).toBe(best)
  })

  it('returns the same route when the pools come in reverse order', () => {
    fc.assert(
      fc.property(networks(5, 16), amount, fc.constantFrom(0n, 10n ** 12n), (pools, sold, gasPrice) => {
        const request = requestOf(sold, { gasPrice })
        const route = withBound(findRoute(marketOf(pools), ground, request))
        expect(withBound(findRoute(marketOf([...pools].reverse()), ground, request))).toEqual(route)
      }),
      { numRuns: 100, seed: 4 },
    )
  })

  it('fills a trade that no single pool could fill', () => {
    // A v2 pool holds at most 2^112 - 1.
    const pools = [0, 1, 2].map((i) =>
      v2Pool({ tokens: [0, 1], reserves: [2 ** 110, 2 ** 110], feePpm: 3_000 }, i),
    )
    const sold = 2n ** 112n
    expect(pools.map((pool) => pool.quote(sell, buy, sold))).toEqual([0n, 0n, 0n])
    expect(findRoute(marketOf(pools), ground, requestOf(sold))?.edges.length).toBe(3)
  })

  it('fills concentrated pools up to their capacity, and finds no route beyond it', () => {
    const positions = [{ below: 1_000, above: 1_000, liquidity: 1e22 }]
    const pools = [0, 1].map((i) => v3Pool({ tokens: [0, 1], tick: 0, positions, feePpm: 500 }, i))
    const most = BigInt(Math.floor(pools[0]!.curve(sell, buy).capacity))
    expect(pools[0]!.quote(sell, buy, 2n * most)).toBe(0n)
    expect(findRoute(marketOf(pools), ground, requestOf((most * 199n) / 100n))?.edges.length).toBe(2)
    expect(findRoute(marketOf(pools), ground, requestOf((most * 201n) / 100n))).toBeUndefined()
  })

  it('goes only through the given connector tokens', () => {
    const pools = [
      v2Pool({ tokens: [0, 2], reserves: [1e24, 1e24], feePpm: 3_000 }, 0),
      v2Pool({ tokens: [1, 2], reserves: [1e24, 1e24], feePpm: 3_000 }, 1),
      v2Pool({ tokens: [0, 3], reserves: [1e24, 1e23], feePpm: 3_000 }, 2),
      v2Pool({ tokens: [1, 3], reserves: [1e23, 1e23], feePpm: 3_000 }, 3),
    ]
    const through = (connectors: Address[]) =>
      findRoute(marketOf(pools), ground, requestOf(10n ** 18n, { connectors }))?.tokens
    expect(through([mid])).toEqual([sell, mid, buy])
    expect(through([far])).toEqual([sell, far, buy])
    expect(through([weth])).toBeUndefined()
  })

  it('goes through another token only when it is trusted or named', () => {
    const [other, another] = [tokenAt(7), tokenAt(8)]
    const direct = [
      v2Pool({ tokens: [0, 7], reserves: [1e24, 1e24], feePpm: 3_000 }, 0),
      v2Pool({ tokens: [1, 7], reserves: [1e24, 1e24], feePpm: 3_000 }, 1),
    ]
    const through = (pools: Pool[], trusted: Address[], connectors?: Address[]) =>
      findRoute(marketOf(pools, trusted), ground, requestOf(10n ** 18n, connectors ? { connectors } : {}))
        ?.tokens
    expect(through(direct, [])).toBeUndefined()
    expect(through(direct, [another])).toBeUndefined()
    expect(through(direct, [another, other])).toEqual([sell, other, buy])
    expect(through(direct, [], [other])).toEqual([sell, other, buy])

    const viaMid = [
      v2Pool({ tokens: [0, 7], reserves: [1e24, 1e24], feePpm: 3_000 }, 0),
      v2Pool({ tokens: [2, 7], reserves: [1e24, 1e24], feePpm: 3_000 }, 1),
      v2Pool({ tokens: [1, 2], reserves: [1e24, 1e24], feePpm: 3_000 }, 2),
    ]
    expect(through(viaMid, [other])).toEqual([sell, other, mid, buy])
    const back = { ...requestOf(10n ** 18n), sell: buy, buy: sell }
    expect(findRoute(marketOf(viaMid, [other]), ground, back)?.tokens).toEqual([buy, mid, other, sell])
  })

  it('unwraps the native token, and wraps it even when WETH is not among the sources', () => {
    const pools = [v2Pool({ tokens: [1, 4], reserves: [1e24, 1e24], feePpm: 3_000 }, 0)]
    const onlyV2 = { sources: new Set(['UNISWAP_V2']) }
    const route = findRoute(marketOf(pools), ground, {
      ...requestOf(1_000_000n, onlyV2),
      sell: nativeTokenAddress,
    })
    expect(route?.tokens).toEqual([nativeTokenAddress, weth, buy])
    expect(route?.edges.map(({ pool }) => pool.source)).toEqual(['WETH', 'UNISWAP_V2'])
    const back = findRoute(marketOf(pools), ground, {
      ...requestOf(1_000_000n),
      sell: buy,
      buy: nativeTokenAddress,
    })
    expect(back?.tokens).toEqual([buy, weth, nativeTokenAddress])
    expect(back?.edges.at(-1)?.bought).toBe(back?.returns)
  })

  it('neither wraps nor unwraps when wrapping is excluded', () => {
    const pools = [
      v2Pool({ tokens: [1, 4], reserves: [1e24, 1e24], feePpm: 3_000 }, 0),
      v2Pool({ tokens: [0, 4], reserves: [1e24, 1e24], feePpm: 3_000 }, 1),
    ]
    const request = requestOf(1_000_000n, { excludesWrapping: true })
    const find = (from: Address, to: Address) =>
      findRoute(marketOf(pools), ground, { ...request, sell: from, buy: to })?.tokens
    expect(find(nativeTokenAddress, buy)).toBeUndefined()
    expect(find(buy, nativeTokenAddress)).toBeUndefined()
    expect(find(nativeTokenAddress, weth)).toBeUndefined()
    expect(find(weth, nativeTokenAddress)).toBeUndefined()
    expect(find(weth, buy)).toEqual([weth, buy])
    expect(find(sell, weth)).toEqual([sell, weth])
  })

  it('wraps and unwraps one for one, and only through the WETH source', () => {
    const wrapping = (wrapLimits: Partial<RouteLimits>) =>
      findRoute(marketOf([]), ground, { ...requestOf(7n, wrapLimits), sell: nativeTokenAddress, buy: weth })
    expect(wrapping({})?.returns).toBe(7n)
    expect(wrapping({ sources: new Set(['UNISWAP_V2']) })).toBeUndefined()
    expect(
      findRoute(marketOf([]), ground, { ...requestOf(7n), sell: weth, buy: nativeTokenAddress })?.returns,
    ).toBe(7n)
  })

  it('finds no route for a zero amount, from a token to itself or to a token without pools', () => {
    const pools = [v2Pool({ tokens: [0, 1], reserves: [1e24, 1e24], feePpm: 3_000 }, 0)]
    expect(findRoute(marketOf(pools), ground, requestOf(0n))).toBeUndefined()
    expect(findRoute(marketOf(pools), ground, { ...requestOf(1n), buy: sell })).toBeUndefined()
    expect(findRoute(marketOf(pools), ground, { ...requestOf(10n ** 9n), buy: far })).toBeUndefined()
  })
})

/** Reimplements Hop of contracts/ISwapRouter.sol. */
function execute({ tokens, edges, amount: given }: Route): bigint {
  const held = tokens.map((_, i) => (i === 0 ? given : 0n))
  for (const [from, token] of tokens.entries()) {
    const start = held[from]!
    for (const { pool, to, weight } of edges.filter((edge) => edge.from === from)) {
      expect(to).toBeGreaterThan(from)
      const sold = weight === 0 ? held[from]! : (start * BigInt(weight)) / 1_000_000n
      held[from]! -= sold
      held[to]! += pool.quote(token, tokens[to]!, sold)
    }
    if (from < tokens.length - 1) expect(held[from]).toBe(0n)
  }
  return held.at(-1)!
}

function longestPath({ tokens, edges }: Route): number {
  const hops = tokens.map(() => 0)
  for (const { from, to } of edges) hops[to] = Math.max(hops[to]!, hops[from]! + 1)
  return hops.at(-1)!
}

function bestSinglePath(
  pools: readonly Pool[],
  token: Address,
  held: bigint,
  visited: ReadonlySet<Address>,
): bigint {
  if (token === buy || held === 0n) return held
  if (visited.size > 3) return 0n
  let best = 0n
  for (const pool of pools) {
    const next = pool.tokens.find((other) => other !== token)
    if (!pool.tokens.includes(token) || next === undefined || visited.has(next)) continue
    const returned = bestSinglePath(pools, next, pool.quote(token, next, held), new Set([...visited, next]))
    if (returned > best) best = returned
  }
  return best
}
