import { view, words } from '../indexer/abiWords.ts'
import type { BlockRef, Chain } from '../indexer/chain.ts'
import { maxTicks } from './math/maxTicks.ts'
import { closeBeyondTicks, closedPrice, type Tick, toTick } from './math/ticks.ts'
import type { PoolReadRequest } from './poolType.ts'
import { encodeTick, isClosed, mergeTicks, ticksToRead } from './tickReading.ts'

export type FeeTier = { feePpm: number; tickSpacing: number }

export type Concentrated = {
  /** √(token1/token0) in Q64.96; 0 before initialization. */
  sqrtPrice: bigint
  tick: number
  liquidity: bigint
  ticks: readonly Tick[]
}

type Reading = PoolReadRequest<Pick<FeeTier, 'tickSpacing'>, Concentrated>

/** Returns states in the order of `readings`: from logs, else by the pool lens, else by Multicall3. */
export async function readConcentrated(
  chain: Chain,
  block: BlockRef,
  readings: readonly Reading[],
): Promise<Concentrated[]> {
  const known = new Map<Reading, Concentrated>()
  const add = (some: readonly Reading[], states: readonly (Concentrated | undefined)[]) => {
    some.forEach((reading, i) => {
      const state = states[i]
      if (state !== undefined) known.set(reading, state)
    })
  }
  const rest = () => readings.filter((reading) => !known.has(reading))

  add(readings, readings.map(afterSwaps))
  const fresh = rest().filter(({ before }) => before === undefined)
  add(fresh, await readByLens(chain, block, fresh))
  const others = rest()
  add(others, await readByCalls(chain, block, others))
  return readings.map((reading) => known.get(reading) as Concentrated)
}

/** Swap and Initialize tell all that they change (UniswapV3Pool); undefined after other events. */
function afterSwaps({ before, logs }: Reading): Concentrated | undefined {
  const last = logs.at(-1)
  if (before === undefined || last === undefined) return undefined
  if (isClosed({ before, logs })) return before
  if (logs.some(({ eventName }) => eventName !== 'Swap' && eventName !== 'Initialize')) return undefined
  const {
    sqrtPriceX96: sqrtPrice,
    tick,
    liquidity = before.liquidity,
  } = last.args as { sqrtPriceX96: bigint; tick: number; liquidity?: bigint }
  return { sqrtPrice, tick, liquidity, ticks: before.ticks }
}

async function readByLens(
  chain: Chain,
  block: BlockRef,
  readings: readonly Reading[],
): Promise<(Concentrated | undefined)[]> {
  const pools = readings.map(({ listing: { address, fixed } }) => {
    return { address, tickSpacing: fixed.tickSpacing }
  })
  return (await chain.readPools(pools, block)).map((pool) => {
    if (pool === undefined || !('ticks' in pool)) return undefined
    if (pool.ticks.length > maxTicks) return closedPrice
    return { ...pool, ticks: pool.ticks.map(({ index, net }) => toTick(index, net)) }
  })
}

const slot0 = view('function slot0()')
const liquidity = view('function liquidity()')

async function readByCalls(
  chain: Chain,
  block: BlockRef,
  readings: readonly Reading[],
): Promise<Concentrated[]> {
  const indexes = await ticksToRead(chain, block, readings)
  const calls = readings.map(({ listing: { address: to } }, i) =>
    [slot0(), liquidity(), ...(indexes[i] ?? []).map((index) => encodeTick(index))].map((data) => {
      return { to, data }
    }),
  )
  const answers = await chain.read(calls, block)
  return answers.map(([prices = '0x', depth = '0x', ...read], i) => {
    if (indexes[i] === undefined) return closedPrice
    const [sqrtPrice = 0n, tick = 0n] = words(prices)
    const [liquidity = 0n] = words(depth)
    const ticks = mergeTicks(readings[i]?.before?.ticks, indexes[i] ?? [], read)
    return closeBeyondTicks({ sqrtPrice, tick: Number(BigInt.asIntN(24, tick)), liquidity, ticks })
  })
}
