import { type Hex, parseAbi, parseAbiItem, zeroAddress } from 'viem'
import type { Address } from '../config.ts'
import { toLowerAddress } from '../indexer/address.ts'
import { nativeTokenAddress } from '../tokens/registry.ts'
import { type Concentrated, isConcentrated } from './concentrated.ts'
import { type ConcentratedPool, concentratedPool } from './concentratedPool.ts'
import { gasCosts } from './gasCosts.ts'
import { swapStepV4 } from './math/sqrtPrice.ts'
import type { Pool } from './pool.ts'
import type { PoolInfo, PoolType } from './poolType.ts'
import {
  heldTokens,
  type ManagedPool,
  type PoolKey,
  poolId,
  priceSlot,
  probeManaged,
  readManaged,
} from './uniswapV4State.ts'
import { isAddress, isInteger, isRecord } from './valid.ts'

/** v4-core LPFeeLibrary: all of the input, and no pool to trade with. */
const wholeInput = 1_000_000

/** Fees and spacings of the interface, and of pools that trade most; others are found by their creation. */
const usualKeys = [
  { fee: 10, tickSpacing: 1 },
  { fee: 50, tickSpacing: 1 },
  { fee: 100, tickSpacing: 1 },
  { fee: 500, tickSpacing: 10 },
  { fee: 2_500, tickSpacing: 50 },
  { fee: 3_000, tickSpacing: 60 },
  { fee: 10_000, tickSpacing: 200 },
  { fee: 20_000, tickSpacing: 400 },
]

/** Bits of hooks that swaps call: beforeSwap, afterSwap, and the deltas of both (v4-core: Hooks). */
const swapHooks = 0xccn

/** ProtocolFeeLibrary.MAX_PROTOCOL_FEE */
const maxProtocolFee = 1_000

/** Amounts are int128 (v4-core: BalanceDelta). */
const maxAmount = 2n ** 127n - 1n

/**
 * Uniswap v4 pools without hooks, or with hooks that swaps do not call; without those of dynamic fees, which
 * change without an event.
 */
export const uniswapV4: PoolType<PoolKey, ManagedPool> = {
  created: parseAbiItem(
    'event Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, uint24 fee, int24 tickSpacing, address hooks, uint160 sqrtPriceX96, int24 tick)',
  ),

  async list(_chain, _block, logs, { kind, source, address: manager }, wrapped) {
    return logs.flatMap(({ args }) => {
      const { currency0, currency1, hooks } = args as Record<'currency0' | 'currency1' | 'hooks', Address>
      const { id, fee, tickSpacing } = args as { id: Hex; fee: number; tickSpacing: number }
      const currencies = [toLowerAddress(currency0), toLowerAddress(currency1)] as const
      const key = {
        manager,
        hooks: toLowerAddress(hooks),
        fee,
        tickSpacing,
        isNative: currencies[0] === zeroAddress,
      }
      const tokens = [key.isNative ? wrapped : currencies[0], currencies[1]] as const
      if (!isKey(key) || tokens[0] === tokens[1]) return []
      return [{ kind, source, address: id.slice(0, 42) as Address, tokens, fixed: key }]
    })
  },

  /** No liquidity, and no fee of the protocol's (v4-core: Pool.initialize). */
  initial({ args }) {
    const { sqrtPriceX96: sqrtPrice, tick } = args as { sqrtPriceX96: bigint; tick: number }
    return { sqrtPrice, tick, liquidity: 0n, ticks: [], protocolFee: 0 }
  },
  isExtra({ fixed: { hooks, fee, tickSpacing } }) {
    const isUsual = usualKeys.some((key) => key.fee === fee && key.tickSpacing === tickSpacing)
    return hooks !== zeroAddress || !isUsual
  },
  holdings: heldTokens,
  probe: probeManaged,

  lookup: {
    isPartial: true,
    queries: usualKeys.flatMap(({ fee, tickSpacing }) =>
      [false, true].map((isNative) => ({
        signature: 'extsload(bytes32)',
        argument: (isNative ? 2 ** 48 : 0) + fee * 2 ** 24 + tickSpacing,
        keyed(one: Address, other: Address, wrapped: Address) {
          if (isNative && one !== wrapped && other !== wrapped) return undefined
          const tokens = toCurrencies([one, other], isNative, wrapped)
          const id = poolId({ tokens, fixed: { hooks: zeroAddress, fee, tickSpacing, isNative } })
          return { id, slot: priceSlot(id) }
        },
      })),
    ),
    list({ address, tokens, argument }, { kind, source, address: manager }, wrapped) {
      const isNative = argument >= 2 ** 48
      const [fee, tickSpacing] = [Math.floor(argument / 2 ** 24) % 2 ** 24, argument % 2 ** 24]
      const fixed = { manager, hooks: zeroAddress, fee, tickSpacing, isNative }
      return { kind, source, address, tokens: toCurrencies(tokens, isNative, wrapped), fixed }
    },
  },

  changes: parseAbi([
    'event Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint24 fee)',
    'event ModifyLiquidity(bytes32 indexed id, address indexed sender, int24 tickLower, int24 tickUpper, int256 liquidityDelta, bytes32 salt)',
    'event ProtocolFeeUpdated(bytes32 indexed id, uint24 protocolFee)',
  ]),

  poolOf({ address, args }) {
    const { id } = args as { id?: Hex }
    return id === undefined ? toLowerAddress(address) : (id.slice(0, 42) as Address)
  },
  isRestless: () => false,

  read: readManaged,

  pool: uniswapV4Pool,

  isValid: (tokenCount, fixed, state) => tokenCount === 2 && isKey(fixed) && isManaged(state),
}

/** In the pool's order: the native token is the lowest. */
function toCurrencies(
  tokens: readonly [Address, Address],
  isNative: boolean,
  wrapped: Address,
): readonly [Address, Address] {
  const [one, other] = tokens
  const isSorted = isNative ? one === wrapped : one < other
  return isSorted ? [one, other] : [other, one]
}

function isKey(data: unknown): data is PoolKey {
  return (
    isRecord(data) &&
    isAddress(data.manager) &&
    isAddress(data.hooks) &&
    (BigInt(data.hooks) & swapHooks) === 0n &&
    isInteger(data.fee, 0, wholeInput - 1) &&
    isInteger(data.tickSpacing, 1, 32_767) &&
    typeof data.isNative === 'boolean'
  )
}

function isManaged(data: unknown): boolean {
  if (!isConcentrated(data) || !isInteger(data.protocolFee, 0, 0xffffff)) return false
  return splitFee(data.protocolFee).every((fee) => fee <= maxProtocolFee)
}

function splitFee(protocolFee: number): [number, number] {
  return [protocolFee & 0xfff, protocolFee >> 12]
}

const empty: Concentrated = { sqrtPrice: 0n, tick: 0, liquidity: 0n, ticks: [] }

/** Creates a pool; a native one trades the native token and the wrapped one in its place alike. */
export function uniswapV4Pool(listing: PoolInfo<PoolKey>, state: ManagedPool): Pool {
  const { address, source, tokens, fixed } = listing
  const [token0] = tokens as [Address, Address]
  const { fee, tickSpacing, hooks, manager, isNative } = fixed
  // The protocol's fee differs by side.
  const sides = splitFee(state.protocolFee).map((protocolFee) => {
    const feePpm = swapFee(protocolFee, fee)
    const range = feePpm < wholeInput ? { feePpm, state } : { feePpm: 0, state: empty }
    return concentratedPool(
      { ...listing, fixed: { feePpm: range.feePpm, tickSpacing } },
      range.state,
      swapStepV4,
    )
  }) as [ConcentratedPool, ConcentratedPool]
  const inPool = (token: Address) => (isNative && token === nativeTokenAddress ? token0 : token)
  const sideOf = (sell: Address) => sides[inPool(sell) === token0 ? 0 : 1]

  return {
    address,
    holder: manager,
    source,
    tokens,
    ...(isNative ? { isNative } : {}),
    quote(sell, buy, amount) {
      if (amount > maxAmount) return 0n
      const bought = sideOf(sell).quote(inPool(sell), inPool(buy), amount)
      return bought > maxAmount ? 0n : bought
    },
    steps: (sell, amount) => sideOf(sell).steps?.(inPool(sell), amount) ?? { crossed: [], words: 0 },
    curve: (sell, buy) => sideOf(sell).curve(inPool(sell), inPool(buy)),
    spot: (sell, buy) => sideOf(sell).spot?.(inPool(sell), inPool(buy)) ?? { start: 0, depth: 0 },
    gas(sell, _buy, amount) {
      const { ticks, words } = sideOf(sell).crossings(inPool(sell), amount)
      return gasCosts.uniswapV4 + gasCosts.tick * BigInt(ticks) + gasCosts.word * BigInt(words)
    },
    encode: () => ({ kind: 7, fee: 0, target: hooks, detail: (BigInt(fee) << 24n) | BigInt(tickSpacing) }),
  }
}

/** ProtocolFeeLibrary.calculateSwapFee: what the protocol leaves pays the liquidity providers' fee. */
export function swapFee(protocolFee: number, fee: number): number {
  return protocolFee + fee - Math.floor((protocolFee * fee) / wholeInput)
}
