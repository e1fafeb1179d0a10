import { encodeAbiParameters, type Hex, keccak256, parseAbiParameters, zeroAddress } from 'viem'
import type { Address } from '../config.ts'
import { view, words } from '../indexer/abiWords.ts'
import { toLowerAddress } from '../indexer/address.ts'
import type { BlockRef, Call, Chain, Log } from '../indexer/chain.ts'
import type { Concentrated } from './concentratedState.ts'
import { maxTicks } from './math/maxTicks.ts'
import { amount0, amount1 } from './math/sqrtPrice.ts'
import { closeBeyondTicks, closedPrice, type Tick, toTick } from './math/ticks.ts'
import type { PoolInfo, PoolReadRequest } from './poolType.ts'
import { bitmapWords, isClosed, ticksOfBitmap, touchedTicks } from './tickReading.ts'

/**
 * Immutable data of a pool in Uniswap v4's PoolManager. Pools have no address: theirs is here the first 20
 * bytes of their id, the hash of the pool's key (v4-core: PoolId).
 */
export type PoolKey = {
  manager: Address
  /** Zero without. */
  hooks: Address
  /** Liquidity providers' fee in millionths. */
  fee: number
  tickSpacing: number
  /** True if the first token is native, held without wrapping; `tokens` has the wrapped one in its place. */
  isNative: boolean
}

export type ManagedPool = Concentrated & {
  /** Millionths of the input: of token0 in the low 12 bits, of token1 above (v4-core: ProtocolFeeLibrary). */
  protocolFee: number
}

/** Returns a pool's id (v4-core: PoolId). */
export function poolId({ tokens, fixed }: Pick<PoolInfo<Omit<PoolKey, 'manager'>>, 'tokens' | 'fixed'>): Hex {
  const { hooks, fee, tickSpacing, isNative } = fixed
  const [token0, token1] = tokens as [Address, Address]
  return keccak256(
    encodeAbiParameters(keyShape, [isNative ? zeroAddress : token0, token1, fee, tickSpacing, hooks]),
  )
}

const keyShape = parseAbiParameters('address, address, uint24, int24, address')

/** Returns what positions hold of both tokens, rounded down (v3 whitepaper, 6.29 and 6.30). */
export function heldTokens({ sqrtPrice, ticks }: Concentrated): [bigint, bigint] {
  let [held0, held1, liquidity] = [0n, 0n, 0n]
  ticks.forEach(({ net, sqrtPrice: low }, i) => {
    liquidity += net
    const high = ticks[i + 1]?.sqrtPrice
    if (high === undefined || liquidity <= 0n) return
    const now = sqrtPrice < low ? low : sqrtPrice > high ? high : sqrtPrice
    held0 += amount0(now, high, liquidity, false)
    held1 += amount1(low, now, liquidity, false)
  })
  return [held0, held1]
}

/** Returns liquidity at the price times tick spacing: no position at the price is narrower. */
export async function probeManaged(
  chain: Chain,
  block: BlockRef,
  listings: readonly PoolInfo<PoolKey>[],
): Promise<bigint[]> {
  const calls = listings.map((listing) => {
    return [load(listing.fixed.manager, slotOf(BigInt(poolId(listing)), poolsSlot) + liquidityOffset)]
  })
  const answers = await chain.read(calls, block)
  return answers.map(([answer = '0x'], i) => {
    const liquidity = BigInt.asUintN(128, words(answer)[0] ?? 0n)
    return liquidity * BigInt(listings[i]?.fixed.tickSpacing ?? 0)
  })
}

type Reading = PoolReadRequest<PoolKey, ManagedPool>

/** Returns states in the order of `readings`: from logs, else by the pool lens, else by Multicall3. */
export async function readManaged(
  chain: Chain,
  block: BlockRef,
  readings: readonly Reading[],
): Promise<ManagedPool[]> {
  const own = readings.map((reading) => ({ ...reading, logs: ofManager(reading) }))
  const known = new Map<Reading, ManagedPool>()
  for (const reading of own) {
    const state = afterLogs(reading)
    if (state !== undefined) known.set(reading, state)
  }
  const fresh = own.filter(({ before }) => before === undefined)
  const read = await readByLens(chain, block, fresh)
  fresh.forEach((reading, i) => {
    const state = read[i]
    if (state !== undefined) known.set(reading, state)
  })
  const others = own.filter((reading) => !known.has(reading))
  const called = await readByCalls(chain, block, others)
  others.forEach((reading, i) => {
    known.set(reading, called[i] as ManagedPool)
  })
  return own.map((reading) => known.get(reading) as ManagedPool)
}

/** Other contracts can emit the same events with the pool's id. */
function ofManager({ listing, logs }: Reading): Log[] {
  return logs.filter(({ address }) => toLowerAddress(address) === listing.fixed.manager)
}

/** Undefined after changes of liquidity, which do not tell whether their ticks still exist. */
function afterLogs({ before, logs }: Reading): ManagedPool | undefined {
  if (before === undefined) return undefined
  if (isClosed({ before, logs })) return before
  let state = before
  for (const { eventName, args } of logs) {
    if (eventName === 'Swap') {
      const { sqrtPriceX96: sqrtPrice, tick, liquidity } = args as unknown as SwapEvent
      state = { ...state, sqrtPrice, tick, liquidity }
    } else if (eventName === 'ProtocolFeeUpdated') {
      state = { ...state, protocolFee: (args as unknown as { protocolFee: number }).protocolFee }
    } else return undefined
  }
  return state
}

type SwapEvent = { sqrtPriceX96: bigint; tick: number; liquidity: bigint }

async function readByLens(
  chain: Chain,
  block: BlockRef,
  readings: readonly Reading[],
): Promise<(ManagedPool | undefined)[]> {
  const pools = readings.map(({ listing }) => {
    return { address: listing.fixed.manager, tickSpacing: listing.fixed.tickSpacing, id: poolId(listing) }
  })
  return (await chain.readPools(pools, block)).map((pool) => {
    if (pool === undefined || !('ticks' in pool)) return undefined
    const { fee = 0, ticks, ...prices } = pool
    if (ticks.length > maxTicks) return { ...closedPrice, protocolFee: fee }
    return { ...prices, ticks: ticks.map(({ index, net }) => toTick(index, net)), protocolFee: fee }
  })
}

// Storage of PoolManager, of a pool and of its tick (v4-core: StateLibrary).
const poolsSlot = 6n
const [liquidityOffset, ticksOffset, bitmapOffset] = [3n, 4n, 5n]

const extsload = view('function extsload(bytes32)')

async function readByCalls(
  chain: Chain,
  block: BlockRef,
  readings: readonly Reading[],
): Promise<ManagedPool[]> {
  const places = readings.map(({ listing }) => slotOf(BigInt(poolId(listing)), poolsSlot))
  const indexes = await ticksToRead(chain, block, readings, places)
  const calls = readings.map(({ listing }, i) => {
    const at = places[i] as bigint
    const slots = (indexes[i] ?? []).map((index) => slotOf(BigInt(index), at + ticksOffset))
    return [at, at + liquidityOffset, ...slots].map((slot) => load(listing.fixed.manager, slot))
  })
  const answers = await chain.read(calls, block)
  return answers.map((answer, i) => {
    const [slot0 = 0n, liquidity = 0n, ...ticks] = answer.map((data) => words(data)[0] ?? 0n)
    const protocolFee = Number(BigInt.asUintN(24, slot0 >> 184n))
    if (indexes[i] === undefined) return { ...closedPrice, protocolFee }
    return closeBeyondTicks({
      // Slot0.sol
      sqrtPrice: BigInt.asUintN(160, slot0),
      tick: Number(BigInt.asIntN(24, slot0 >> 160n)),
      protocolFee,
      liquidity: BigInt.asUintN(128, liquidity),
      ticks: mergeTicks(readings[i]?.before?.ticks ?? [], indexes[i] ?? [], ticks),
    })
  })
}

/** As `ticksToRead` of math/ticks.ts, from the manager's storage. */
async function ticksToRead(
  chain: Chain,
  block: BlockRef,
  readings: readonly Reading[],
  places: readonly bigint[],
): Promise<(number[] | undefined)[]> {
  const numbers = readings.map(({ before, listing }) =>
    before ? [] : bitmapWords(listing.fixed.tickSpacing),
  )
  const calls = readings.map(({ listing }, i) =>
    (numbers[i] ?? []).map((number) =>
      load(listing.fixed.manager, slotOf(BigInt(number), (places[i] as bigint) + bitmapOffset)),
    ),
  )
  const answers = await chain.read(calls, block)
  return readings.map(({ before, logs, listing }, i) => {
    if (before) return touchedTicks(logs)
    const bitmap = (answers[i] ?? []).map((answer) => words(answer)[0] ?? 0n)
    return ticksOfBitmap(numbers[i] ?? [], bitmap, listing.fixed.tickSpacing)
  })
}

/** A tick's word has its net liquidity above the gross one, which is 0 if it is not initialized. */
function mergeTicks(
  before: readonly Tick[],
  indexes: readonly number[],
  read: readonly bigint[],
): readonly Tick[] {
  const known = new Map(before.map((tick) => [tick.index, tick]))
  indexes.forEach((index, i) => {
    const word = read[i] ?? 0n
    if (BigInt.asUintN(128, word) === 0n) known.delete(index)
    else known.set(index, toTick(index, BigInt.asIntN(128, word >> 128n)))
  })
  return [...known.values()].sort((a, b) => a.index - b.index)
}

function load(to: Address, slot: bigint): Call {
  return { to, data: extsload(`0x${slot.toString(16)}` as Hex) }
}

/** Slot of a mapping's value (Solidity: Layout of State Variables in Storage). */
function slotOf(key: bigint, mappingSlot: bigint): bigint {
  return BigInt(keccak256(encodeAbiParameters(slotShape, [BigInt.asUintN(256, key), mappingSlot])))
}

/** Returns where the manager stores a pool's price. */
export function priceSlot(id: Hex): Hex {
  return `0x${slotOf(BigInt(id), poolsSlot).toString(16).padStart(64, '0')}`
}

const slotShape = parseAbiParameters('uint256, uint256')
