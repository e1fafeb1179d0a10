import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Address } from '../../../service/config.ts'
import { gasCosts } from '../../../service/pools/gasCosts.ts'
import type { Pool } from '../../../service/pools/pool.ts'
import { findRoute } from '../../../service/routing/findRoute.ts'
import type { Route } from '../../../service/routing/route.ts'
import { nativeTokenAddress } from '../../../service/tokens/registry.ts'
import {
  buy,
  ground,
  marketOf,
  mid,
  requestOf,
  sell,
  v2Pool,
  weth,
} from '../../helpers/service/randomPools.ts'
import { slow } from '../../helpers/slow.ts'
import { runBranches } from './byHand.ts'
import { build, plans } from './mixed.ts'

slow('Many cases are drawn at random.')

/** The pool, with the native token in place of the wrapped one, as in Uniswap v4. */
function native(pool: Pool): Pool {
  const inPool = (token: Address) => (token === nativeTokenAddress ? weth : token)
  return {
    ...pool,
    isNative: true,
    quote: (sell, buy, amount) => pool.quote(inPool(sell), inPool(buy), amount),
    curve: (sell, buy) => pool.curve(inPool(sell), inPool(buy)),
    gas: (sell, buy, amount) => pool.gas(inPool(sell), inPool(buy), amount),
    ...(pool.after && {
      after: (sell: Address, buy: Address, sold: bigint) =>
        native(pool.after!(inPool(sell), inPool(buy), sold)),
    }),
    ...(pool.steps && { steps: (sell: Address, amount: bigint) => pool.steps!(inPool(sell), amount) }),
  }
}

/** Checks that every pool is named the token that it trades, and that the route executes as promised. */
function requireExecutable(route: Route): void {
  expect(runBranches(route)).toBe(route.returns)
  for (const { pool, from, to } of route.edges) {
    const named = [route.tokens[from]!, route.tokens[to]!]
    if (pool.source === 'WETH') expect([...named].sort()).toEqual([weth, nativeTokenAddress].sort())
    else {
      expect(named).not.toContain(pool.isNative ? weth : nativeTokenAddress)
      for (const token of named) expect([...pool.tokens, nativeTokenAddress]).toContain(token)
    }
  }
  expect(new Set(route.tokens).size).toBe(route.tokens.length)
}

const ends = [nativeTokenAddress, weth, sell, buy] as const
const pairs = ends.flatMap((from) => ends.flatMap((to) => (from === to ? [] : [[from, to] as const])))
const isWrapping = (from: Address, to: Address) => from !== sell && from !== buy && to !== sell && to !== buy

describe('routes through pools of the native token', () => {
  it('are searched for twice at most, however many pools there are', () => {
    const plain = v2Pool({ tokens: [4, 1], reserves: [1.1e23, 1e23], feePpm: 3_000 }, 50)
    const natives = Array.from({ length: 12 }, (_, i) =>
      native(v2Pool({ tokens: [4, 1], reserves: [1e24 + i * 1e18, 1e24], feePpm: 3_000 }, i)),
    )
    for (const from of [weth, nativeTokenAddress]) {
      const market = marketOf([plain, ...natives])
      let searches = 0
      const prices = () => {
        searches++
        return market.prices()
      }
      const counted = { ...market, prices }
      const one = { ...requestOf(10n ** 18n, { gasPrice: 1n, parts: 1, mainRouteParts: 1 }), sell: from }
      const route = findRoute(counted, ground, one)
      requireExecutable(route!)
      expect(route!.edges.some(({ pool }) => pool.isNative)).toBe(true)
      // Each search asks for them, and so do the prices of gas.
      expect(searches).toBeLessThan(7)
    }
  })

  it('converts what the pools of either token need, and executes as promised', () => {
    const seen = { native: 0, wrapped: 0, both: 0 }
    fc.assert(
      fc.property(
        plans({ kinds: ['v2', 'v3', 'weighted'], fewest: 6, most: 14 }),
        fc.array(fc.boolean(), { minLength: 14, maxLength: 14 }),
        fc.constantFrom(...pairs.filter(([from, to]) => !isWrapping(from, to))),
        fc.double({ min: 17, max: 22, noNaN: true }),
        fc.record({ apart: fc.boolean(), isFree: fc.boolean() }),
        (planned, natives, [from, to], exponent, { apart, isFree }) => {
          const pools = build(planned).map((pool, i) => {
            return natives[i] && pool.tokens.length === 2 && pool.tokens.includes(weth) ? native(pool) : pool
          })
          const limits = { apart, gasPrice: isFree ? 0n : 10n ** 9n }
          const request = requestOf(BigInt(Math.ceil(10 ** exponent)), limits)
          const route = findRoute(marketOf(pools), ground, { ...request, sell: from, buy: to })
          if (route === undefined) return
          requireExecutable(route)
          const kinds = new Set(
            route.edges.flatMap(({ pool }) =>
              pool.tokens.includes(weth) && pool.source !== 'WETH' ? [pool.isNative === true] : [],
            ),
          )
          if (kinds.size === 2) seen.both++
          else if (kinds.has(true)) seen.native++
          else if (kinds.has(false)) seen.wrapped++
        },
      ),
      { numRuns: 300, seed: 6 },
    )
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(15)
  })

  const only = () => native(v2Pool({ tokens: [1, 4], reserves: [1e24, 1e24], feePpm: 3_000 }, 0))

  it('neither wraps nor unwraps between the native token and its pool', () => {
    const route = findRoute(marketOf([only()]), ground, {
      ...requestOf(10n ** 18n),
      ...{ sell: nativeTokenAddress, buy },
    })!
    expect(route.tokens).toEqual([nativeTokenAddress, buy])
    expect(route.edges).toHaveLength(1)
    const back = findRoute(marketOf([only()]), ground, {
      ...requestOf(10n ** 18n),
      ...{ sell: buy, buy: nativeTokenAddress },
    })!
    expect(back.tokens).toEqual([buy, nativeTokenAddress])
    requireExecutable(back)
  })

  it('unwraps the wrapped token for the pool, and counts the gas', () => {
    const direct = findRoute(marketOf([only()]), ground, {
      ...requestOf(10n ** 18n),
      ...{ sell: nativeTokenAddress, buy },
    })!
    const route = findRoute(marketOf([only()]), ground, { ...requestOf(10n ** 18n), sell: weth, buy })!
    expect(route.tokens).toEqual([weth, nativeTokenAddress, buy])
    expect(route.returns).toBe(direct.returns)
    expect(route.gas - direct.gas).toBe(gasCosts.unwrap)
  })

  it('connects by the native token alone where both pools trade it', () => {
    const pools = [
      native(v2Pool({ tokens: [0, 4], reserves: [1e24, 1e24], feePpm: 3_000 }, 1)),
      only(),
      v2Pool({ tokens: [2, 4], reserves: [1e24, 1e24], feePpm: 3_000 }, 2),
    ]
    const find = (to: Address) =>
      findRoute(marketOf(pools), ground, { ...requestOf(10n ** 18n), buy: to })!.tokens
    expect(find(buy)).toEqual([sell, nativeTokenAddress, buy])
    expect(find(mid)).toEqual([sell, nativeTokenAddress, weth, mid])
  })

  it('trades the native token with its own pools alone when wrapping is excluded', () => {
    const pools = [only(), v2Pool({ tokens: [1, 4], reserves: [9e24, 9e24], feePpm: 3_000 }, 1)]
    const request = requestOf(10n ** 18n, { excludesWrapping: true })
    const find = (from: Address, to: Address) =>
      findRoute(marketOf(pools), ground, { ...request, sell: from, buy: to })
    expect(find(nativeTokenAddress, buy)?.edges.map(({ pool }) => pool.address)).toEqual([pools[0]!.address])
    expect(find(buy, nativeTokenAddress)?.edges.map(({ pool }) => pool.address)).toEqual([pools[0]!.address])
    expect(find(weth, buy)?.edges.map(({ pool }) => pool.address)).toEqual([pools[1]!.address])
    expect(find(nativeTokenAddress, weth)).toBeUndefined()
  })

  it('leaves native pools where their conversions would exceed the gas limit', () => {
    const pools = [only(), v2Pool({ tokens: [1, 4], reserves: [9e23, 9e23], feePpm: 3_000 }, 1)]
    const request = requestOf(10n ** 12n, { gasLimit: 118_000n })
    const route = findRoute(marketOf(pools), ground, { ...request, sell: weth, buy })!
    expect(route.tokens).toEqual([weth, buy])
    expect(route.gas).toBeLessThanOrEqual(118_000n)
  })
})
