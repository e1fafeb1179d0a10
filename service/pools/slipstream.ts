import { parseAbi } from 'viem'
import type { Address } from '../config.ts'
import { toLowerAddress } from '../indexer/address.ts'
import type { Log } from '../indexer/chain.ts'
import { concentrated, isConcentrated } from './concentrated.ts'
import { concentratedPool } from './concentratedPool.ts'
import { type Concentrated, readConcentrated } from './concentratedState.ts'
import { feeDrift } from './drift.ts'
import { type GasPart, gasCosts } from './gasCosts.ts'
import type { Pool } from './pool.ts'
import type { PoolInfo, PoolReadRequest, PoolType } from './poolType.ts'
import { readSlipstreamFees, type SlipstreamFee, unknownFee } from './slipstreamFees.ts'
import { isAddress, isInteger, isRecord } from './valid.ts'

export type SlipstreamKey = { factory: Address; tickSpacing: number }

export type SlipstreamState = Concentrated & SlipstreamFee

/** Spacings that factories enable; a factory leaves out those that it does not. */
const tickSpacings = [1, 2, 5, 10, 20, 50, 60, 100, 200, 500, 1_000, 2_000]

/** Emitted when anyone lets a pool keep more observations, which make a moving fee possible. */
const growth = 'IncreaseObservationCardinalityNext'

/**
 * Slipstream pools of Aerodrome and Velodrome: Uniswap v3's arithmetic (CLPool.swap), a tick spacing in the
 * key, and a fee that a module of the factory tells. Gauges take their part of the fee, not of the output.
 */
export const slipstream: PoolType<SlipstreamKey, SlipstreamState> = {
  created: parseAbi([
    'event PoolCreated(address indexed token0, address indexed token1, int24 indexed tickSpacing, address pool)',
  ])[0],

  async list(_chain, _block, logs, { kind, source, address: factory }) {
    return logs.map(({ args }) => {
      const { token0, token1, pool } = args as Record<'token0' | 'token1' | 'pool', Address>
      const { tickSpacing } = args as { tickSpacing: number }
      const tokens = [toLowerAddress(token0), toLowerAddress(token1)]
      return { kind, source, address: toLowerAddress(pool), tokens, fixed: { factory, tickSpacing } }
    })
  },

  lookup: {
    queries: tickSpacings.map((argument) => {
      return { signature: 'getPool(address,address,int24)', argument, check: 'tickSpacingToFee(int24)' }
    }),
    list: ({ address, tokens, argument }, { kind, source, address: factory }) => {
      return { kind, source, address, tokens, fixed: { factory, tickSpacing: argument } }
    },
  },

  changes: [
    ...concentrated.changes,
    ...parseAbi([
      'event IncreaseObservationCardinalityNext(uint16 observationCardinalityNextOld, uint16 observationCardinalityNextNew)',
      'event SwapFeeModuleChanged(address indexed oldFeeModule, address indexed newFeeModule)',
      'event CustomFeeSet(address indexed pool, uint24 indexed fee)',
      // Of older modules.
      'event SetCustomFee(address indexed pool, uint24 indexed fee)',
      'event ScalingFactorSet(address indexed pool, uint256 indexed scalingFactor)',
      'event FeeCapSet(address indexed pool, uint256 indexed feeCap)',
      'event DynamicFeeReset(address indexed pool)',
      'event InitialFeeSet(address indexed pool, uint24 indexed initialFee)',
      'event InitialFeeDisabled(address indexed pool)',
      'event DefaultScalingFactorSet(uint256 indexed defaultScalingFactor)',
      'event DefaultFeeCapSet(uint256 indexed defaultFeeCap)',
      'event SecondsAgoSet(uint32 indexed secondsAgo)',
    ]),
  ],
  poolOf: ({ address, args }) => toLowerAddress((args as { pool?: Address }).pool ?? address),
  factoryOf: ({ fixed }) => fixed.factory,
  managerOf: ({ module }) => module,
  isRestless: ({ isMoving }) => isMoving,

  async read(chain, block, readings) {
    const swapped = readings.map(ownLogs)
    const isRead = readings.map(({ before }, i) => before === undefined || swapped[i]?.length !== 0)
    const priced = readings.map(hasNewFee)
    const only = <Item>(items: readonly Item[], chosen: readonly boolean[]) =>
      items.filter((_, i) => chosen[i])
    const [states, fees] = await Promise.all([
      readConcentrated(
        chain,
        block,
        only(
          readings.map((reading, i) => ({ ...reading, logs: swapped[i] ?? [] })),
          isRead,
        ),
      ),
      readSlipstreamFees(
        chain,
        block,
        only(readings, priced).map(
          ({
            listing: {
              address: pool,
              fixed: { factory },
            },
          }) => ({ pool, factory }),
        ),
      ),
    ])
    const [nextState, nextFee] = [states.values(), fees.values()]
    return readings.map(({ before }, i) => ({
      ...(before as SlipstreamState),
      ...(isRead[i] ? (nextState.next().value as Concentrated) : {}),
      ...(priced[i] ? (nextFee.next().value as SlipstreamFee) : {}),
    }))
  },

  pool: slipstreamPool,

  isValid(tokenCount, fixed, state) {
    return (
      tokenCount === 2 &&
      isRecord(fixed) &&
      isAddress(fixed.factory) &&
      isInteger(fixed.tickSpacing, 1, 16_383) &&
      isConcentrated(state) &&
      isInteger(state.feePpm, 0, unknownFee) &&
      isAddress(state.module) &&
      typeof state.isMoving === 'boolean' &&
      isInteger(state.observations, 0, 65_535)
    )
  },
}

type Reading = PoolReadRequest<SlipstreamKey, SlipstreamState>

/** Of the pool, about price and liquidity. */
function ownLogs({ listing, logs }: Reading): Log[] {
  return logs.filter(({ address, eventName }) => {
    return toLowerAddress(address) === listing.address && eventName !== growth
  })
}

function hasNewFee({ listing, before, logs }: Reading): boolean {
  if (before === undefined || before.isMoving) return true
  return logs.some(({ address, eventName }) => {
    const speaker = toLowerAddress(address)
    if (speaker === listing.address) return eventName === growth
    // Anyone can name the pool in a log.
    return speaker === before.module || speaker === listing.fixed.factory
  })
}

const empty: Concentrated = { sqrtPrice: 0n, tick: 0, liquidity: 0n, ticks: [] }

export function slipstreamPool(listing: PoolInfo<SlipstreamKey>, state: SlipstreamState): Pool {
  const { feePpm, observations } = state
  const isKnown = feePpm < unknownFee
  const fixed = { feePpm: isKnown ? feePpm : 0, tickSpacing: listing.fixed.tickSpacing }
  const alike = concentratedPool({ ...listing, fixed }, isKnown ? state : empty)
  // A binary search.
  const searched = observations === 0 ? 0 : Math.ceil(Math.log2(observations)) + 1
  return {
    ...alike,
    ...(state.isMoving ? { drift: feeDrift } : {}),
    steps(sell, amount) {
      const { crossed, words } = alike.steps?.(sell, amount) ?? { crossed: [], words: 0 }
      const parts: GasPart[] = ['slipstream']
      if (crossed.length > 0) parts.push('slipstreamRewards')
      for (let i = 0; i < words; i++) parts.push('slipstreamWord')
      for (let i = 0; i < searched; i++) parts.push('slipstreamObservation')
      return { crossed, words, parts: [parts, 'slipstreamTick'] }
    },
    gas(sell, _buy, amount) {
      const { ticks, words } = alike.crossings(sell, amount)
      const word = gasCosts.word + gasCosts.slipstreamWord
      const rewards = ticks > 0 ? gasCosts.slipstreamRewards : 0n
      const search = gasCosts.slipstreamObservation * BigInt(searched)
      const crossed = gasCosts.slipstreamTick * BigInt(ticks) + word * BigInt(words)
      return gasCosts.slipstream + search + rewards + crossed
    },
  }
}
