import { zeroAddress } from 'viem'
import type { Address } from '../../../service/config.ts'
import { converterPool } from '../../../service/pools/converter.ts'
import type { Pool } from '../../../service/pools/pool.ts'
import { slipstreamPool } from '../../../service/pools/slipstream.ts'
import { stablePool } from '../../../service/pools/stable.ts'
import { stableSwapPool } from '../../../service/pools/stableSwap/stableSwapPool.ts'
import { uniswapV4Pool } from '../../../service/pools/uniswapV4.ts'
import { rangesOf, tokenAt, type V3Plan } from './randomPools.ts'

type Called = { name: number; price: number; weight: number }
type Shape = { kind: string; depth: number; feePpm: number }

const poolAt = (index: number): Address => `0x${(index + 0xa000).toString(16).padStart(40, '0')}`

/** Of Uniswap v4; every third one also pays the protocol, more in one direction. */
export function managedOf(plan: V3Plan, index: number): Pool {
  const fixed = {
    manager: tokenAt(0xba4),
    hooks: zeroAddress,
    fee: plan.feePpm,
    tickSpacing: 10,
    isNative: false,
  }
  const listing = { kind: 'uniswap-v4', source: 'UNISWAP_V4', address: poolAt(index) } as const
  const protocolFee = index % 3 === 0 ? (200 << 12) | 100 : 0
  const state = { ...rangesOf(plan), protocolFee }
  return uniswapV4Pool({ ...listing, tokens: plan.tokens.map(tokenAt), fixed }, state)
}

export function slipstreamOf(plan: V3Plan, index: number): Pool {
  const listing = { kind: 'slipstream', source: 'AERODROME_SLIPSTREAM', address: poolAt(index) } as const
  const fee = { feePpm: plan.feePpm, module: zeroAddress, isMoving: false, observations: 40 * (index % 2) }
  const fixed = { factory: tokenAt(0xfac), tickSpacing: 10 }
  return slipstreamPool(
    { ...listing, tokens: plan.tokens.map(tokenAt), fixed },
    { ...rangesOf(plan), ...fee },
  )
}

/** Of Balancer v2: rates of composable ones, scales of the others make the tokens worth the same. */
export function vaultStableOf(
  called: readonly Called[],
  { kind, depth, feePpm }: Shape,
  index: number,
): Pool {
  const isComposable = kind === 'composable'
  const fixed = {
    ...{ vault: tokenAt(0xba1), poolId: `${poolAt(index)}${'0'.repeat(24)}` as const, isEarly: false },
    scales: called.map(({ price }) => (isComposable ? 1n : BigInt(Math.round(price * 1e6)))),
    ...(isComposable && { rateProviders: called.map((_, i) => tokenAt(0x4a0 + i)) }),
  } as const
  const used = called.map(({ price }) => BigInt(Math.round(price * 1e18)))
  const state = {
    holdings: heldOf(called, depth).map((cash) => ({ cash, managed: 0n })),
    ...{ fee: BigInt(feePpm) * 10n ** 12n, isPaused: false, amplification: 200_000n, isMoving: false },
    ...(isComposable && { rates: { used, expired: 0, isRestless: true } }),
  }
  const source = isComposable ? 'BALANCER_V2_COMPOSABLE_STABLE' : 'BALANCER_V2_STABLE'
  const listing = { kind: 'stable', source, address: poolAt(index) } as const
  return stablePool({ ...listing, tokens: called.map(({ name }) => tokenAt(name)), fixed }, state)
}

/** Of PancakeSwap: amplified without a precision. */
export function pancakeOf(called: readonly Called[], { depth, feePpm }: Shape, index: number): Pool {
  const fixed = {
    ...{ form: 1, precision: 1, decimals: called.map(() => 18) },
    ...{ hasRates: false, isFloating: false, nativeIndex: -1 },
  }
  const state = {
    ...{ amplification: 200n, balances: heldOf(called, depth), fee: BigInt(feePpm) * 10n ** 4n },
    ...{ adminFee: 5_000_000_000n, offpegMultiplier: 0n, isJoint: false, isUsable: true, isMoving: false },
    rates: called.map(({ price }) => BigInt(Math.round(price * 1e18))),
  }
  const listing = { kind: 'pancake-stable', source: 'PANCAKESWAP_STABLE', address: poolAt(index) } as const
  return stableSwapPool({ ...listing, tokens: called.map(({ name }) => tokenAt(name)), fixed }, state)
}

function heldOf(called: readonly Called[], depth: number): bigint[] {
  return called.map(({ price, weight }) => BigInt(Math.round((10 ** depth * (weight + 200)) / 300 / price)))
}

/** At a constant price up to the depth; every second one both ways, without fee or skew. */
export function converterOf(
  tokens: readonly { name: number; price: number; worth: number }[],
  depth: number,
  feePpm: number,
  index: number,
): Pool {
  const address: Address = `0x${(index + 0xa000).toString(16).padStart(40, '0')}`
  const isOneWay = index % 2 === 1
  const unitOf = (price: number) => BigInt(Math.round(1e21 / price))
  const [one, other] = tokens.map(({ price, worth }) => unitOf(isOneWay ? price : worth)) as [bigint, bigint]
  const [first, second] = tokens.map(({ worth }) => BigInt(Math.round(10 ** depth / worth))) as [
    bigint,
    bigint,
  ]
  const kept = BigInt(isOneWay ? 1_000_000 - feePpm : 1_000_000)
  const fixed = { form: 'vault', isOneWay, unit: 1n, parties: [] } as const
  return converterPool(
    {
      ...{ kind: 'converter', source: 'SAVINGS_DAI', address, fixed },
      tokens: tokens.map(({ name }) => tokenAt(name)),
    },
    {
      rates: [one, (other * kept) / 1_000_000n],
      maxSold: [first, isOneWay ? 0n : second],
      maxBought: [isOneWay ? second : first, second],
    },
  )
}
