import { maxUint256, parseAbi } from 'viem'
import type { Address, Factory } from '../config.ts'
import { view, words } from '../indexer/abiWords.ts'
import { toLowerAddress } from '../indexer/address.ts'
import type { BlockRef, Chain } from '../indexer/chain.ts'
import { unlessRefused } from './balancerPool.ts'
import { gasCosts } from './gasCosts.ts'
import { createLiquidityRanges } from './liquidityRanges.ts'
import {
  amountOut,
  feeOf,
  invariantLack,
  invariantOf,
  type SolidlyCurve,
  scaledBalances,
} from './math/solidlyMath.ts'
import type { Pool, Spot } from './pool.ts'
import type { PoolInfo, PoolReadRequest, PoolType } from './poolType.ts'
import type { Curve } from './priceCurve.ts'
import { solidlyStableCurve } from './solidlyCurve.ts'
import { isAddress, isAmount, isInteger, isList, isRecord } from './valid.ts'

export type SolidlyPair = SolidlyCurve & { factory: Address }

export type SolidlyState = {
  reserve0: bigint
  reserve1: bigint
  /** In 1/10,000 of the input. */
  fee: number
  /** Of all pools of the factory. */
  isPaused: boolean
}

/** Pools of Aerodrome v2 and Velodrome v2: x·y = k, or x³y + y³x = k for tokens of equal worth. */
export const solidly: PoolType<SolidlyPair, SolidlyState> = {
  created: parseAbi([
    'event PoolCreated(address indexed token0, address indexed token1, bool indexed stable, address pool, uint256 count)',
  ])[0],

  list(chain, block, logs, factory) {
    const named = logs.map(({ args }) => args as { token0: Address; token1: Address; pool: Address })
    const pools = named.map(({ token0, token1, pool }) => {
      return { address: toLowerAddress(pool), tokens: [toLowerAddress(token0), toLowerAddress(token1)] }
    })
    return readPairs(chain, block, pools, factory)
  },

  lookup: {
    queries: [0, 1].map((argument) => ({ signature: 'getPool(address,address,bool)', argument })),
    read: readPairs,
  },

  changes: parseAbi([
    'event Sync(uint256 reserve0, uint256 reserve1)',
    'event Fees(address indexed sender, uint256 amount0, uint256 amount1)',
    'event SetCustomFee(address indexed pool, uint256 fee)',
    'event SetPauseState(bool state)',
  ]),
  poolOf: ({ address, args }) => toLowerAddress((args as { pool?: Address }).pool ?? address),
  factoryOf: ({ fixed }) => fixed.factory,
  isRestless: () => false,

  async read(chain, block, readings) {
    const followed = readings.map(afterLogs)
    const fresh = readings.filter((_, i) => followed[i] === undefined).map(({ listing }) => listing)
    const factories = [...new Set(fresh.map(({ fixed }) => fixed.factory))]
    const [paused = [], ...answers] = await chain.read(
      [
        factories.map((to) => ({ to, data: isPaused() })),
        ...fresh.map(({ address, fixed: { factory, isStable } }) => [
          { to: address, data: getReserves() },
          { to: factory, data: getFee(address, Number(isStable)) },
        ]),
      ],
      block,
    )
    const pausedOf = new Map(factories.map((factory, i) => [factory, words(paused[i] ?? '0x')[0] === 1n]))
    const states = fresh.map(({ fixed }, i) => {
      const [reserves = '0x', fee = '0x'] = answers[i] ?? []
      const [reserve0 = 0n, reserve1 = 0n] = words(reserves)
      const isPaused = pausedOf.get(fixed.factory) ?? false
      return { reserve0, reserve1, fee: Number(words(fee)[0] ?? 0n), isPaused }
    })
    const next = states.values()
    return followed.map((state) => state ?? (next.next().value as SolidlyState))
  },

  pool: solidlyPool,

  isValid(tokenCount, fixed, state) {
    return (
      tokenCount === 2 &&
      isRecord(fixed) &&
      isAddress(fixed.factory) &&
      typeof fixed.isStable === 'boolean' &&
      isList(fixed.units, 2, isUnit) &&
      fixed.units.length === 2 &&
      isRecord(state) &&
      isAmount(state.reserve0, 0n, maxUint256) &&
      isAmount(state.reserve1, 0n, maxUint256) &&
      isInteger(state.fee, 0, 10_000) &&
      typeof state.isPaused === 'boolean'
    )
  },
}

const isUnit = (data: unknown): data is bigint => isAmount(data, 1n, maxUint256)

const metadata = view('function metadata()')
const getReserves = view('function getReserves()')
const getFee = view('function getFee(address, bool)')
const isPaused = view('function isPaused()')

/** Reads formula and units of the pools that a factory names; skips contracts that are none. */
async function readPairs(
  chain: Chain,
  block: BlockRef,
  named: readonly { address: Address; tokens: readonly Address[] }[],
  { kind, source, address: factory }: Factory,
): Promise<PoolInfo<SolidlyPair>[]> {
  const addresses = named.map(({ address }) => address)
  // Velodrome's converter of its old token is named as two pools, and is none.
  const pools = named.filter(({ address }) => addresses.indexOf(address) === addresses.lastIndexOf(address))
  const calls = pools.map(({ address: to }) => [{ to, data: metadata(), mayFail: true }])
  const answers = await chain.read(calls, block)
  return pools.flatMap(({ address, tokens }, i) => {
    const [unit0, unit1, , , stable, ...rest] = words(answers[i]?.[0] ?? '0x')
    if (unit0 === undefined || unit1 === undefined || rest.length !== 2) return []
    const fixed = { factory, isStable: stable === 1n, units: [unit0, unit1] as const }
    return [{ kind, source, address, tokens, fixed }]
  })
}

type Reading = PoolReadRequest<SolidlyPair, SolidlyState>

/** Undefined if the logs do not tell the state. */
function afterLogs({ listing, before, logs }: Reading): SolidlyState | undefined {
  if (before === undefined) return undefined
  const { fixed, address } = listing
  let reserves = { reserve0: before.reserve0, reserve1: before.reserve1 }
  let paid = { amount0: 0n, amount1: 0n }
  for (const log of logs) {
    const speaker = toLowerAddress(log.address)
    if (speaker === fixed.factory) return undefined
    // Anyone can name the pool in a log.
    if (speaker !== address) continue
    if (log.eventName === 'Fees') {
      const { amount0, amount1 } = log.args as typeof paid
      paid = { amount0: paid.amount0 + amount0, amount1: paid.amount1 + amount1 }
    } else {
      const { reserve0, reserve1 } = log.args as typeof reserves
      const isKnown =
        isFee(before.fee, paid.amount0, reserve0 - reserves.reserve0) &&
        isFee(before.fee, paid.amount1, reserve1 - reserves.reserve1)
      if (!isKnown) return undefined
      reserves = { reserve0, reserve1 }
      paid = { amount0: 0n, amount1: 0n }
    }
  }
  return { ...before, ...reserves }
}

/** The factory changes its default fees without an event: they show in what swaps pay. */
function isFee(fee: number, paid: bigint, growth: bigint): boolean {
  return paid === 0n || ((growth + paid) * BigInt(fee)) / 10_000n === paid
}

export function solidlyPool(listing: PoolInfo<SolidlyPair>, state: SolidlyState): Pool {
  const { address, source, tokens, fixed } = listing
  const { reserve0, reserve1 } = state
  const reserves = [reserve0, reserve1] as const
  const fee = BigInt(state.fee)
  const keep = 1 - state.fee / 10_000
  const isUsable = !state.isPaused && reserve0 > 0n && reserve1 > 0n
  const curves: (Curve | undefined)[] = []

  const sideOf = (sell: Address) => (sell === tokens[0] ? 0 : 1)

  /** Throws a RangeError where the contract reverts. */
  function bought(sell: 0 | 1, amount: bigint): bigint {
    const input = amount - feeOf(amount, fee)
    const output = amountOut(fixed, reserves, sell, input)
    if (output >= reserves[sell === 0 ? 1 : 0]) return 0n
    const after =
      sell === 0
        ? ([reserve0 + input, reserve1 - output] as const)
        : ([reserve0 - output, reserve1 + input] as const)
    return invariantOf(fixed, after) < invariantOf(fixed, reserves) ? 0n : output
  }

  /** The fee is rounded down: nearly one unit more may be sold. */
  function roundingOf(reserveIn: number, reserveOut: number): number {
    return isUsable && fee > 0n ? Math.min(reserveOut / reserveIn, reserveOut) : 0
  }

  function createStableCurve(sell: 0 | 1, buy: 0 | 1): Curve | undefined {
    const [scaleIn, scaleOut] = [1e18 / Number(fixed.units[sell]), 1e18 / Number(fixed.units[buy])]
    const [x, y] = scaledBalances(fixed, reserves, sell)
    const lack = invariantLack(fixed, reserves)
    return solidlyStableCurve({ x: Number(x), y: Number(y), lack, keep, scaleIn, scaleOut })
  }

  function createCurve(sell: 0 | 1): Curve {
    const buy = sell === 0 ? 1 : 0
    const [reserveIn, reserveOut] = [Number(reserves[sell]), Number(reserves[buy])]
    const stable = isUsable && fixed.isStable && unlessRefused(() => createStableCurve(sell, buy), undefined)
    if (stable) return stable
    // The contract multiplies reserves in 256 bits.
    const room = maxInvariant / reserveOut - reserveIn
    const isEmpty = fixed.isStable || !isUsable || !(room > 0)
    const rounding = roundingOf(reserveIn, reserveOut)
    return { ...createLiquidityRanges(keep, isEmpty ? [] : [{ reserveIn, reserveOut, room }]), rounding }
  }

  function curve(sell: Address): Curve {
    const side = sideOf(sell)
    const known = curves[side] ?? createCurve(side)
    curves[side] = known
    return known
  }

  function spot(sell: Address): Spot {
    const side = sideOf(sell)
    if (!isUsable) return { start: 0, depth: 0 }
    const [reserveIn, reserveOut] = [Number(reserves[side]), Number(reserves[side === 0 ? 1 : 0])]
    const rounding = roundingOf(reserveIn, reserveOut)
    return { start: keep * (reserveOut / reserveIn), depth: reserveOut, rounding }
  }

  return {
    address,
    source,
    tokens,

    quote(sell, _buy, amount) {
      if (!isUsable || amount <= 0n) return 0n
      return unlessRefused(() => bought(sideOf(sell), amount), 0n)
    },

    curve,
    ...(fixed.isStable ? {} : { spot }),
    gas: () => (fixed.isStable ? gasCosts.solidlyStable : gasCosts.solidlyVolatile),
    lateGas: observationGas,
    encode: () => ({ kind: 5, fee: 0 }),
  }
}

const maxInvariant = 2 ** 255

/** Of the price observation that a pool appends if the last one is older than half an hour: four slots. */
const observationGas = 75_000n
