import { parseAbi } from 'viem'
import type { Address } from '../config.ts'
import { view, words } from '../indexer/abiWords.ts'
import { toLowerAddress } from '../indexer/address.ts'
import { type AlgebraState, hasSwapHook, isDynamic, readAlgebra, unknownFee } from './algebraState.ts'
import { concentrated, isConcentrated } from './concentrated.ts'
import { concentratedPool } from './concentratedPool.ts'
import { feeDrift } from './drift.ts'
import { gasCosts } from './gasCosts.ts'
import { algebraAmountOut } from './math/algebraMath.ts'
import { maxTick } from './math/sqrtPrice.ts'
import type { Pool, PoolSteps } from './pool.ts'
import type { PoolInfo, PoolType } from './poolType.ts'
import { isInteger, isRecord } from './valid.ts'

/** All else of a pool may change. */
export type AlgebraFixed = Record<string, never>

const [poolCreated] = parseAbi(['event Pool(address indexed token0, address indexed token1, address pool)'])

const poolByPair = view('function poolByPair(address, address)')

/**
 * Concentrated pools of Algebra Integral: a tick list without words, and a fee that is the pool's or,
 * for each swap, its plugin's. Custom pools are left out: their deployer, anyone, chooses the plugin.
 */
export const algebra: PoolType<AlgebraFixed, AlgebraState> = {
  created: poolCreated,

  async list(chain, block, logs, { kind, source, address: to }) {
    const named = logs.map(({ args }) => args as Record<'token0' | 'token1' | 'pool', Address>)
    // Some factories announce custom pools by the same event too.
    const asked = named.map(({ token0, token1 }) => [{ to, data: poolByPair(token0, token1) }])
    const own = await chain.read(asked, block)
    return named.flatMap(({ token0, token1, pool }, i) => {
      if (words(own[i]?.[0] ?? '0x')[0] !== BigInt(pool)) return []
      const tokens = [toLowerAddress(token0), toLowerAddress(token1)]
      return [{ kind, source, address: toLowerAddress(pool), tokens, fixed: {} }]
    })
  },

  lookup: {
    queries: [{ signature: 'poolByPair(address,address)' }],
    list: ({ address, tokens }, { kind, source }) => ({ kind, source, address, tokens, fixed: {} }),
  },

  changes: [
    // Those of Uniswap v3, with its names.
    ...concentrated.changes,
    ...parseAbi([
      'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint24 overrideFee, uint24 pluginFee)',
      'event Fee(uint16 fee)',
      'event PluginConfig(uint8 newPluginConfig)',
      'event Plugin(address newPluginAddress)',
    ]),
  ],
  poolOf: ({ address }) => toLowerAddress(address),
  isRestless: isDynamic,

  read: readAlgebra,

  pool: algebraPool,

  isValid(tokenCount, fixed, state) {
    if (tokenCount !== 2 || !isRecord(fixed) || !isConcentrated(state)) return false
    const { fee, config } = state as Record<string, unknown>
    return isInteger(fee, 0, unknownFee) && isInteger(config, 0, 255)
  },
}

const empty = { sqrtPrice: 0n, tick: 0, liquidity: 0n, ticks: [] }

export function algebraPool(listing: PoolInfo<AlgebraFixed>, state: AlgebraState): Pool {
  const { tokens } = listing
  const { fee } = state
  const isKnown = fee < unknownFee
  // Curve and price are those of Uniswap v3, without words that would bound them.
  const fixed = { feePpm: isKnown ? fee : 0, tickSpacing: maxTick }
  const alike = concentratedPool({ ...listing, fixed }, isKnown ? state : empty)
  const parts = [
    hasSwapHook(state) ? (['algebra', 'algebraPlugin'] as const) : (['algebra'] as const),
    'algebraTick',
  ] as const
  const fill = (sell: Address, amount: bigint, steps?: PoolSteps) =>
    isKnown && state.sqrtPrice > 0n ? algebraAmountOut(state, sell === tokens[0], amount, fee, steps) : 0n
  return {
    ...alike,
    ...(isDynamic(state) ? { drift: feeDrift } : {}),
    quote: (sell, _buy, amount) => fill(sell, amount),
    steps(sell, amount) {
      const steps: PoolSteps = { crossed: [], words: 0, parts }
      fill(sell, amount, steps)
      return steps
    },
    gas(sell, buy, amount) {
      const ticks = BigInt(alike.curve(sell, buy).steps(Number(amount)))
      return parts[0].reduce((sum, part) => sum + gasCosts[part], gasCosts.algebraTick * ticks)
    },
  }
}
