import fc from 'fast-check'
import type { Address } from '../../../service/config.ts'
import { algebraPool } from '../../../service/pools/algebra.ts'
import type { Concentrated } from '../../../service/pools/concentrated.ts'
import { concentratedPool } from '../../../service/pools/concentratedPool.ts'
import { constantProductPool } from '../../../service/pools/constantProduct.ts'
import { sqrtPriceAtTick } from '../../../service/pools/math/sqrtPrice.ts'
import type { Pool } from '../../../service/pools/pool.ts'
import type { PoolInfo } from '../../../service/pools/poolType.ts'
import type { RoutingInput } from '../../../service/routing/candidates.ts'
import { createPoolGraph } from '../../../service/routing/market.ts'
import type { RouteRequest } from '../../../service/routing/route.ts'
import { freely } from './requests.ts'

export const tokenAt = (index: number): Address => `0x${(index + 1).toString(16).padStart(40, '0')}`
const poolAt = (index: number): Address => `0x${(index + 0xa000).toString(16).padStart(40, '0')}`

export const [sell, buy, mid, far, weth] = [0, 1, 2, 3, 4].map(tokenAt) as [
  Address,
  Address,
  Address,
  Address,
  Address,
]

export const ground: RoutingInput = { wrapped: weth, connectors: [mid, far, weth] }

export type V2Plan = {
  tokens: readonly [number, number]
  reserves: readonly [number, number]
  feePpm: number
}

export function v2Pool({ tokens, reserves, feePpm }: V2Plan, index: number): Pool {
  const [reserve0, reserve1] = reserves.map(BigInt) as [bigint, bigint]
  return constantProductPool(listing('constant-product', tokens, index, { feePpm }), { reserve0, reserve1 })
}

export type V3Plan = {
  tokens: readonly [number, number]
  tick: number
  positions: readonly { below: number; above: number; liquidity: number }[]
  feePpm: number
}

export function v3Pool(plan: V3Plan, index: number): Pool {
  const { tokens, feePpm } = plan
  return concentratedPool(listing('concentrated', tokens, index, { feePpm, tickSpacing: 10 }), rangesOf(plan))
}

export function algebraOf(plan: V3Plan, index: number): Pool {
  const { tokens, feePpm } = plan
  return algebraPool(listing('algebra', tokens, index, {}), { ...rangesOf(plan), fee: feePpm, config: 0 })
}

export function rangesOf({ tick, positions }: V3Plan): Concentrated {
  const nets = new Map<number, bigint>()
  for (const { below, above, liquidity } of positions) {
    const [lower, upper] = [Math.floor((tick - below) / 10) * 10, Math.ceil((tick + above) / 10) * 10]
    nets.set(lower, (nets.get(lower) ?? 0n) + BigInt(liquidity))
    nets.set(upper, (nets.get(upper) ?? 0n) - BigInt(liquidity))
  }
  const ticks = [...nets]
    .sort(([a], [b]) => a - b)
    .map(([at, net]) => ({ index: at, net, sqrtPrice: sqrtPriceAtTick(at) }))
  const liquidity = ticks.filter(({ index: at }) => at <= tick).reduce((sum, { net }) => sum + net, 0n)
  return { sqrtPrice: sqrtPriceAtTick(tick), tick, liquidity, ticks }
}

export function marketOf(pools: readonly Pool[], trusted: readonly Address[] = []) {
  const market = createPoolGraph(new Set([...ground.connectors, ...trusted]))
  for (const pool of pools) market.put(pool.address, pool.tokens, () => pool)
  return market
}

export function requestOf(amount: bigint, limits: Partial<RouteRequest['limits']> = {}): RouteRequest {
  return { sell, buy, amount, limits: { ...freely, ...limits } }
}

/** Pools off the common price by less than the fees. */
export function networks(tokens: number, most: number): fc.Arbitrary<Pool[]> {
  const token = fc.integer({ min: 0, max: tokens - 1 })
  return fc
    .array(
      fc.record({
        pair: fc.tuple(token, token).filter(([one, other]) => one < other),
        depth: fc.double({ min: 20, max: 24, noNaN: true }),
        skew: fc.integer({ min: -12, max: 12 }),
        feePpm: fc.constantFrom(3_000, 3_000, 10_000),
        isV3: fc.boolean(),
        widths: fc.array(fc.integer({ min: 50, max: 3_000 }), { minLength: 2, maxLength: 4 }),
      }),
      { minLength: 1, maxLength: most },
    )
    .map((plans) => plans.map(toPool))
}

type PoolPlan = {
  pair: readonly [number, number]
  /** Power of ten. */
  depth: number
  /** In 1/10,000. */
  skew: number
  feePpm: number
  isV3: boolean
  widths: readonly number[]
}

const worth = [1, 0.37, 25, 3_000, 0.002] as const

function toPool({ pair: tokens, depth, skew, feePpm, isV3, widths }: PoolPlan, index: number): Pool {
  const price = ((worth[tokens[0]] as number) / (worth[tokens[1]] as number)) * (1 + skew / 10_000)
  if (!isV3) {
    const reserves = [10 ** depth / Math.sqrt(price), 10 ** depth * Math.sqrt(price)] as const
    return v2Pool({ tokens, reserves: [Math.round(reserves[0]), Math.round(reserves[1])], feePpm }, index)
  }
  const positions = widths.map((width, i) => ({
    below: width,
    above: widths[(i + 1) % widths.length] as number,
    liquidity: Math.round(10 ** depth * 5),
  }))
  const tick = Math.round(Math.log(price) / Math.log(1.0001))
  return v3Pool(
    {
      tokens,
      tick,
      positions: [...positions, { below: 40_000, above: 40_000, liquidity: 10 ** depth }],
      feePpm,
    },
    index,
  )
}

function listing<Fixed>(
  kind: PoolInfo['kind'],
  [one, other]: readonly [number, number],
  index: number,
  fixed: Fixed,
): PoolInfo<Fixed> {
  const source = kind === 'concentrated' ? 'UNISWAP_V3' : 'UNISWAP_V2'
  return { kind, source, address: poolAt(index), tokens: [tokenAt(one), tokenAt(other)], fixed }
}
