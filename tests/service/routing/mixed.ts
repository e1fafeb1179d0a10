import fc from 'fast-check'
import type { Address } from '../../../service/config.ts'
import type { Pool } from '../../../service/pools/pool.ts'
import { solidlyPool } from '../../../service/pools/solidly.ts'
import { stableSwapPool } from '../../../service/pools/stableSwap/stableSwapPool.ts'
import { stableV3Pool } from '../../../service/pools/stableV3.ts'
import { weightedPool } from '../../../service/pools/weighted.ts'
import { weightedV3Pool } from '../../../service/pools/weightedV3.ts'
import {
  converterOf,
  managedOf,
  pancakeOf,
  slipstreamOf,
  vaultStableOf,
} from '../../helpers/service/furtherPools.ts'
import { algebraOf, tokenAt, v2Pool, v3Pool } from '../../helpers/service/randomPools.ts'

export type Plan = {
  kind:
    | 'v2'
    | 'v3'
    | 'weighted'
    | 'volatile'
    | 'stable'
    | 'weightedV3'
    | 'stableV3'
    | 'curve'
    | 'curveNg'
    | 'algebra'
    | 'converter'
    | 'v4'
    | 'slipstream'
    | 'stableV2'
    | 'composable'
    | 'pancake'
  /** Ascending; three only in pools of several tokens. */
  tokens: readonly number[]
  /** Worth of each balance, as a power of ten. */
  depth: number
  /** Deviation from the common price, in 1/10,000. */
  skews: readonly number[]
  feePpm: number
  /** Ticks to either side. */
  widths: readonly number[]
  weights: readonly number[]
}

const tokenCount = 5
const manyTokens: readonly Plan['kind'][] = [
  'weighted',
  'weightedV3',
  'stableV3',
  'curve',
  'curveNg',
  'stableV2',
  'composable',
  'pancake',
]
const worth = [1, 0.37, 25, 3_000, 0.002] as const

export type Taste = { kinds: readonly Plan['kind'][]; fewest?: number; most: number; tokens?: number }

/** Pools off the common price by less than the fees. */
export function plans({ kinds, fewest = 1, most, tokens = tokenCount }: Taste): fc.Arbitrary<Plan[]> {
  const some = fc.shuffledSubarray(
    Array.from({ length: tokens }, (_, i) => i),
    { minLength: 2, maxLength: Math.min(3, tokens) },
  )
  const three = <T>(item: fc.Arbitrary<T>) => fc.array(item, { minLength: 3, maxLength: 3 })
  return fc.array(
    fc
      .record({
        kind: fc.constantFrom(...kinds),
        tokens: some,
        depth: fc.double({ min: 20, max: 24, noNaN: true }),
        skews: three(fc.integer({ min: -7, max: 7 })),
        feePpm: fc.constantFrom(3_000, 3_000, 10_000),
        widths: three(fc.integer({ min: 50, max: 3_000 })),
        weights: three(fc.integer({ min: 10, max: 80 })),
      })
      .map((plan) => {
        const own = manyTokens.includes(plan.kind) ? plan.tokens : plan.tokens.slice(0, 2)
        return { ...plan, tokens: [...own].sort((a, b) => a - b) }
      }),
    { minLength: fewest, maxLength: most },
  )
}

export function build(planned: readonly Plan[], names: readonly number[] = [0, 1, 2, 3, 4]): Pool[] {
  return planned.map((plan, index) => toPool(plan, index, names))
}

export function weightedOf(
  tokens: readonly Address[],
  balances: readonly bigint[],
  weights: readonly bigint[],
  fee: bigint,
  index: number,
): Pool {
  const address: Address = `0x${(index + 0xa000).toString(16).padStart(40, '0')}`
  const [vault, poolId] = [tokenAt(0xba1), `${address}${'0'.repeat(24)}`] as const
  const fixed = { vault, poolId, scales: tokens.map(() => 1n), weights, isEarly: false } as const
  const holdings = balances.map((cash) => ({ cash, managed: 0n }))
  return weightedPool(
    { kind: 'weighted', source: 'BALANCER_V2_WEIGHTED', address, tokens, fixed },
    { holdings, fee, isPaused: false },
  )
}

/** Rates make the tokens worth the same. */
function stableSwapOf(
  tokens: readonly Address[],
  prices: readonly number[],
  balances: readonly bigint[],
  fee: bigint,
  isNg: boolean,
  index: number,
): Pool {
  const address: Address = `0x${(index + 0xa000).toString(16).padStart(40, '0')}`
  const decimals = tokens.map(() => 18)
  const fixed = {
    ...{ form: isNg ? 2 : 0, precision: 100, decimals, hasRates: true, isFloating: true },
    nativeIndex: -1,
  }
  return stableSwapPool(
    { kind: 'curve-ng', source: 'CURVE_STABLE_NG', address, tokens, fixed },
    {
      ...{ amplification: 20_000n, fee, adminFee: 5_000_000_000n, balances },
      ...{ offpegMultiplier: isNg ? 50_000_000_000n : 0n, isJoint: isNg, isUsable: true, isMoving: true },
      rates: prices.map((price) => BigInt(Math.round(price * 1e18))),
    },
  )
}

/** Stable formula: tokens are worth the same in their units. */
function solidlyOf(
  tokens: readonly [number, number],
  [reserve0, reserve1]: readonly [bigint, bigint],
  units: readonly [bigint, bigint],
  isStable: boolean,
  fee: number,
  index: number,
): Pool {
  const address: Address = `0x${(index + 0xa000).toString(16).padStart(40, '0')}`
  const fixed = { factory: tokenAt(0xfac), isStable, units }
  return solidlyPool(
    { kind: 'solidly', source: 'AERODROME_V2', address, tokens: tokens.map(tokenAt), fixed },
    { reserve0, reserve1, fee, isPaused: false },
  )
}

/** In a stable pool tokens are worth the same at their rates. */
function vaultV3Of(
  called: readonly { name: number; price: number; weight: number }[],
  { kind, depth, feePpm }: Plan,
  index: number,
): Pool {
  const address: Address = `0x${(index + 0xa000).toString(16).padStart(40, '0')}`
  const isStable = kind === 'stableV3'
  const whole = called.reduce((sum, { weight }) => sum + weight, 0)
  const fixed = { vault: tokenAt(0xba3), scales: called.map(() => 1n), minTrade: 10n ** 6n }
  const listing = {
    source: isStable ? 'BALANCER_V3_STABLE' : 'BALANCER_V3_WEIGHTED',
    address,
    tokens: called.map(({ name }) => tokenAt(name)),
  }
  const part = ({ weight }: { weight: number }) => (isStable ? 1 / called.length : weight / whole)
  const state = {
    balances: called.map((token) => BigInt(Math.round((10 ** depth * part(token)) / token.price))),
    rates: called.map(({ price }) => (isStable ? BigInt(Math.round(price * 1e18)) : 10n ** 18n)),
    ...{ fee: BigInt(feePpm) * 10n ** 12n, aggregateFee: 5n * 10n ** 17n },
    ...{ isClosed: false, isRestless: false },
  }
  if (isStable) {
    return stableV3Pool({ ...listing, kind: 'stable-v3', fixed }, { ...state, amplification: 200_000n })
  }
  const weights = called.map(({ weight }) => (BigInt(weight) * 10n ** 18n) / BigInt(whole))
  return weightedV3Pool(
    { ...listing, kind: 'weighted-v3', fixed: { ...fixed, weights, minBalances: [] } },
    state,
  )
}

function toPool(plan: Plan, index: number, names: readonly number[]): Pool {
  const { kind, feePpm, depth, widths } = plan
  const called = plan.tokens
    .map((token, i) => ({
      name: names[token]!,
      worth: worth[token]!,
      price: worth[token]! * (1 + plan.skews[i]! / 10_000),
      weight: plan.weights[i]!,
    }))
    .sort((a, b) => a.name - b.name)
  if (kind === 'weightedV3' || kind === 'stableV3') return vaultV3Of(called, plan, index)
  if (kind === 'weighted') {
    const held = called.map(({ weight, price }) => BigInt(Math.round((10 ** depth * weight) / 300 / price)))
    const whole = called.reduce((sum, { weight }) => sum + weight, 0)
    const weights = called.map(({ weight }) => (BigInt(weight) * 10n ** 18n) / BigInt(whole))
    const addresses = called.map(({ name }) => tokenAt(name))
    return weightedOf(addresses, held, weights, BigInt(feePpm) * 10n ** 12n, index)
  }
  if (kind === 'curve' || kind === 'curveNg') {
    const addresses = called.map(({ name }) => tokenAt(name))
    const prices = called.map(({ price }) => price)
    const held = called.map(({ price, weight }) =>
      BigInt(Math.round((10 ** depth * (weight + 200)) / 300 / price)),
    )
    return stableSwapOf(addresses, prices, held, BigInt(feePpm) * 10n ** 4n, kind === 'curveNg', index)
  }
  if (kind === 'stableV2' || kind === 'composable') return vaultStableOf(called, plan, index)
  if (kind === 'pancake') return pancakeOf(called, plan, index)
  const [one, other] = called as [(typeof called)[0], (typeof called)[0]]
  const tokens = [one.name, other.name] as const
  if (kind === 'converter') return converterOf(called, depth, feePpm, index)
  if (kind === 'volatile' || kind === 'stable') {
    const reserves = [one, other].map(({ price }) => BigInt(Math.round(10 ** depth / price)))
    const units = [one, other].map(({ price }) => BigInt(Math.round(1e18 / price))) as [bigint, bigint]
    return solidlyOf(tokens, reserves as [bigint, bigint], units, kind === 'stable', feePpm / 100, index)
  }
  if (kind === 'v2') {
    const reserves = [one, other].map(({ price }) => Math.round(10 ** depth / price)) as [number, number]
    return v2Pool({ tokens, reserves, feePpm }, index)
  }
  const price = one.price / other.price
  const tick = Math.round(Math.log(price) / Math.log(1.0001))
  const liquidity = Math.round((10 ** depth * 5) / Math.sqrt(one.price * other.price))
  const near = widths.map((below, i) => ({ below, above: widths[(i + 1) % widths.length]!, liquidity }))
  const wide = { below: 40_000, above: 40_000, liquidity: Math.round(liquidity / 5) }
  const planned = { tokens, tick, positions: [...near, wide], feePpm }
  const make = { algebra: algebraOf, v4: managedOf, slipstream: slipstreamOf, v3: v3Pool }[kind]
  return make(planned, index)
}
