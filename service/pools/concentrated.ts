import { maxUint128, parseAbi, parseAbiItem } from 'viem'
import type { Address } from '../config.ts'
import { toLowerAddress } from '../indexer/address.ts'
import { concentratedPool } from './concentratedPool.ts'
import { type Concentrated, type FeeTier, readConcentrated } from './concentratedState.ts'
import { maxTicks } from './math/maxTicks.ts'
import { highestSqrtPrice, lowestSqrtPrice, maxTick, minTick } from './math/sqrtPrice.ts'
import { countUpTo, isMarkedValid, type Tick } from './math/ticks.ts'
import type { PoolType } from './poolType.ts'
import { isAmount, isInteger, isList, isRecord } from './valid.ts'

export type { Concentrated, FeeTier }

/**
 * Fees, in millionths, that the factories of Uniswap v3 and its forks enable: those of the constructors, of
 * PancakeSwap (2,500), and of votes (200 to 400 on Base). A factory leaves out those that it does not enable.
 */
const feeTiers = [
  50, 80, 100, 150, 200, 250, 300, 350, 400, 450, 500, 800, 1_000, 1_500, 2_000, 2_500, 3_000, 4_000, 5_000,
  10_000, 20_000,
]

/** Uniswap v3 and compatible pools (v3 whitepaper). */
export const concentrated: PoolType<FeeTier, Concentrated> = {
  created: parseAbiItem(
    'event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool)',
  ),

  async list(_chain, _block, logs, { kind, source }) {
    return logs.map(({ args }) => {
      const { token0, token1, pool } = args as Record<'token0' | 'token1' | 'pool', Address>
      const { fee, tickSpacing } = args as Record<'fee' | 'tickSpacing', number>
      const tokens = [toLowerAddress(token0), toLowerAddress(token1)]
      return { kind, source, address: toLowerAddress(pool), tokens, fixed: { feePpm: fee, tickSpacing } }
    })
  },

  lookup: {
    queries: feeTiers.map((argument) => {
      return {
        signature: 'getPool(address,address,uint24)',
        argument,
        check: 'feeAmountTickSpacing(uint24)',
      }
    }),
    list: ({ address, tokens, argument, checked }, { kind, source }) => {
      return { kind, source, address, tokens, fixed: { feePpm: argument, tickSpacing: checked } }
    },
  },

  changes: parseAbi([
    'event Initialize(uint160 sqrtPriceX96, int24 tick)',
    'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
    // PancakeSwap's event has two more fields.
    'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint128 protocolFeesToken0, uint128 protocolFeesToken1)',
    'event Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)',
    'event Burn(address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)',
  ]),

  poolOf: ({ address }) => toLowerAddress(address),
  isRestless: () => false,

  read: readConcentrated,

  pool: concentratedPool,

  isValid: (tokenCount, fixed, state) => tokenCount === 2 && isTier(fixed) && isConcentrated(state),
}

function isTier(data: unknown): data is FeeTier {
  return isRecord(data) && isInteger(data.feePpm, 0, 999_999) && isInteger(data.tickSpacing, 1, 16_384)
}

/** An inconsistent state could make a search fail or never end. */
export function isConcentrated(data: unknown): data is Record<string, unknown> & Concentrated {
  if (!isRecord(data)) return false
  const { sqrtPrice, tick, liquidity, ticks } = data
  if (!isInteger(tick, minTick - 1, maxTick) || !isAmount(liquidity, 0n, maxUint128)) return false
  if (!isMarkedValid(ticks) && !areTicks(ticks)) return false
  if (sqrtPrice === 0n) return ticks.length === 0
  if (!isAmount(sqrtPrice, lowestSqrtPrice - 1n, highestSqrtPrice + 1n)) return false
  // `tick` is one lower if the price is on a tick crossed downwards.
  if (Math.abs(positionOf(sqrtPrice) - tick - 0.5) > 1.51) return false
  return isCovered({ sqrtPrice, tick, liquidity, ticks })
}

/** True for at most `maxTicks` in order. */
function areTicks(data: unknown): data is Tick[] {
  return (
    isList(data, maxTicks, isTick) &&
    data.every(({ index }, i) => i === 0 || index > (data[i - 1] as Tick).index)
  )
}

function isTick(data: unknown): data is Tick {
  return (
    isRecord(data) &&
    isInteger(data.index, minTick, maxTick) &&
    isAmount(data.sqrtPrice, lowestSqrtPrice - 1n, highestSqrtPrice + 1n) &&
    Math.abs(positionOf(data.sqrtPrice) - data.index) < 0.01 &&
    isAmount(data.net, -maxUint128, maxUint128)
  )
}

function positionOf(sqrtPrice: bigint): number {
  return (2 * Math.log(Number(sqrtPrice) / 2 ** 96)) / Math.log(1.0001)
}

function isCovered({ tick, liquidity, ticks }: Concentrated): boolean {
  const ahead = countUpTo(ticks, tick)
  let depth = liquidity
  for (const { net } of ticks.slice(ahead)) {
    depth += net
    if (depth < 0n) return false
  }
  depth = liquidity
  for (const { net } of ticks.slice(0, ahead).reverse()) {
    depth -= net
    if (depth < 0n) return false
  }
  return true
}
