import { zeroAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Concentrated } from '../../../service/pools/concentrated.ts'
import { concentratedPool } from '../../../service/pools/concentratedPool.ts'
import { maxTick, minTick, sqrtPriceAtTick } from '../../../service/pools/math/sqrtPrice.ts'
import type { Pool } from '../../../service/pools/pool.ts'
import { slipstreamPool } from '../../../service/pools/slipstream.ts'
import { farthestTick, wordEdge, wordsBetween } from '../../../service/pools/tickBitmap.ts'
import { uniswapV4Pool } from '../../../service/pools/uniswapV4.ts'
import { findRoute } from '../../../service/routing/findRoute.ts'
import { maxGas } from '../../../service/routing/gasParts.ts'
import { buy, ground, marketOf, requestOf, sell, v2Pool } from '../../helpers/service/randomPools.ts'

const feePpm = 100
const address = `0x${'b'.repeat(40)}` as const
const tokens = [sell, buy] as const

const kinds: Record<string, (state: Concentrated, tickSpacing: number) => Pool> = {
  'Uniswap v3': (state, tickSpacing) => {
    const fixed = { feePpm, tickSpacing }
    return concentratedPool({ kind: 'concentrated', source: 'UNISWAP_V3', address, tokens, fixed }, state)
  },
  'Uniswap v4': (state, tickSpacing) => {
    const fixed = { manager: address, hooks: zeroAddress, fee: feePpm, tickSpacing, isNative: false }
    const listing = { kind: 'uniswap-v4', source: 'UNISWAP_V4', address, tokens, fixed } as const
    return uniswapV4Pool(listing, { ...state, protocolFee: 0 })
  },
  Slipstream: (state, tickSpacing) => {
    const fixed = { factory: address, tickSpacing }
    const listing = { kind: 'slipstream', source: 'AERODROME_SLIPSTREAM', address, tokens, fixed } as const
    return slipstreamPool(listing, { ...state, feePpm, module: address, isMoving: false, observations: 0 })
  },
}

const honest = v2Pool({ tokens: [0, 1], reserves: [1e24, 1e24], feePpm: 3_000 }, 1)
const amount = 10n ** 17n
/** A unit of gas costs 1 gwei of the bought token's value. */
const priced = v2Pool({ tokens: [1, 4], reserves: [1e24, 1e24], feePpm: 3_000 }, 2)

/** Liquidity a percent above the market, and a price `ticks` above that: nobody pays to move it there. */
function parked(ticks: number, liquidity = 10n ** 21n): Concentrated {
  const at = Math.min(110 + ticks, maxTick - 1)
  return {
    ...{ sqrtPrice: sqrtPriceAtTick(at), tick: at, liquidity: 0n },
    ticks: [
      { index: 90, net: liquidity, sqrtPrice: sqrtPriceAtTick(90) },
      { index: 110, net: -liquidity, sqrtPrice: sqrtPriceAtTick(110) },
    ],
  }
}

describe.each(Object.entries(kinds))('empty words of %s', (name, create) => {
  it('fills by another pool where the price is thousands of words from the liquidity', () => {
    const hostile = create(parked(887_000), 1)
    expect(hostile.spot!(sell, buy)).toEqual({ start: 0, depth: 0 })
    expect(hostile.curve(sell, buy).capacity).toBe(0)
    const route = findRoute(marketOf([honest, hostile]), ground, requestOf(amount))!
    expect(route.edges.map(({ pool }) => pool.address)).toEqual([honest.address])
    expect(route.returns).toBe(honest.quote(sell, buy, amount))
  })

  it('weighs the gas of each word, so that the better price of a far pool does not count alone', () => {
    const far = create(parked(200 * 256), 1)
    expect(far.quote(sell, buy, amount)).toBeGreaterThan(honest.quote(sell, buy, amount))
    const market = marketOf([honest, far, priced])
    const free = findRoute(market, ground, requestOf(amount))!
    expect(free.edges.map(({ pool }) => pool.address)).toEqual([far.address])
    expect(Number(maxGas(free, false)) / Number(free.gas)).toBeCloseTo(1, 1)
    const route = findRoute(market, ground, requestOf(amount, { gasPrice: 2n * 10n ** 9n }))!
    expect(route.edges.map(({ pool }) => pool.address)).toEqual([honest.address])
  })

  it('finds the route that keeps a limit of gas', () => {
    const far = create(parked(60 * 256), 1)
    const route = findRoute(marketOf([honest, far]), ground, requestOf(amount, { gasLimit: 300_000n }))!
    expect(route.edges.map(({ pool }) => pool.address)).toEqual([honest.address])
  })

  it.each([1, 10, 60])('counts in the search the words that a swap passes, at spacing %i', (spacing) => {
    const liquidity = 10n ** 21n
    const [low, high] = [Math.ceil(-600_000 / spacing), Math.floor(600_000 / spacing)].map((i) => i * spacing)
    const state = {
      ...{ sqrtPrice: sqrtPriceAtTick(-77), tick: -77, liquidity },
      ticks: [
        { index: low!, net: liquidity, sqrtPrice: sqrtPriceAtTick(low!) },
        { index: high!, net: -liquidity, sqrtPrice: sqrtPriceAtTick(high!) },
      ],
    }
    const pool = create(state, spacing)
    let most = 0
    for (const [from, to] of [tokens, [buy, sell] as const]) {
      for (let exponent = 18; exponent < 25; exponent++) {
        const sold = 10n ** BigInt(exponent)
        if (Number(sold) > pool.curve(from, to).capacity) continue
        const { words } = pool.steps!(from, sold)
        most = Math.max(most, words)
        const gas = Number(pool.gas(from, to, sold) - pool.gas(from, to, 1n))
        const each = name === 'Slipstream' ? 14_400 : 4_900
        expect(Math.abs(gas / each - words)).toBeLessThan(1.001)
      }
    }
    expect(most).toBeGreaterThan(0)
  })
})

describe('words of the bitmap', () => {
  it('passes as many ends as stepping from word to word', () => {
    for (const spacing of [1, 7, 60, 200]) {
      for (const [from, to] of [
        [-77, -90_000],
        [255, 256 * 60],
        [0, 1],
        [0, -1],
        [-1, 887_000],
        [256 * 60 - 1, 256 * 60],
        [887_271, -887_272],
      ] as const) {
        const target = Math.trunc(to / spacing) * spacing
        const down = target < from
        if (target === from) continue
        let [tick, passed] = [from as number, 0]
        for (;;) {
          const edge = wordEdge(tick, spacing, down)
          if (down ? target >= edge : target <= edge) break
          tick = down ? edge - 1 : edge
          passed++
        }
        expect(wordsBetween(from, target, spacing, down), `${from} to ${target} by ${spacing}`).toBe(passed)
      }
    }
  })

  it('reaches 256 words, and never beyond the ticks that exist', () => {
    expect(farthestTick(0, 1, true)).toBe(-65_536)
    expect(farthestTick(5, 10, false)).toBe(655_365)
    expect(farthestTick(minTick, 60, false)).toBe(maxTick)
    expect(farthestTick(maxTick, 60, true)).toBe(minTick)
  })
})
