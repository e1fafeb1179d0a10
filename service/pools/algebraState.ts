import { view, words } from '../indexer/abiWords.ts'
import type { BlockRef, Chain, Log } from '../indexer/chain.ts'
import type { LensPool } from '../indexer/lens/poolLens.ts'
import type { Concentrated } from './concentrated.ts'
import { maxTicks } from './math/maxTicks.ts'
import { maxTick, minTick } from './math/sqrtPrice.ts'
import { closeBeyondTicks, closedPrice, type Tick, toTick } from './math/ticks.ts'
import type { PoolReadRequest } from './poolType.ts'
import { encodeTick, isClosed, mergeTicks } from './tickReading.ts'

export type AlgebraState = Concentrated & {
  /** Of the next swap at the block, in millionths of the input; `unknownFee` if the plugin does not tell. */
  fee: number
  /** Hooks of the plugin (Plugins.sol). */
  config: number
}

/** Nothing is quoted. */
export const unknownFee = 1_000_000

const [beforeSwapFlag, dynamicFeeFlag] = [1, 128] as const

/** True if the plugin may choose a fee for each swap. */
export function isDynamic({ config }: { config: number }): boolean {
  return hasSwapHook({ config }) && (config & dynamicFeeFlag) !== 0
}

export function hasSwapHook({ config }: { config: number }): boolean {
  return (config & beforeSwapFlag) !== 0
}

type Reading = PoolReadRequest<unknown, AlgebraState>

/**
 * Returns states in the order of `readings`: from logs, the ticks of new pools by the pool lens or else the
 * tick tree. Dynamic fees are asked for at every block, since they change with time.
 */
export async function readAlgebra(
  chain: Chain,
  block: BlockRef,
  readings: readonly Reading[],
): Promise<AlgebraState[]> {
  const told = readings.map(afterLogs)
  const unknown = readings.filter((_, i) => told[i] === undefined)
  const asked = readings.map((_, i) => (told[i] === undefined ? [globalState, liquidity] : []))
  const changing = readings.filter((_, i) => {
    const state = told[i]
    return state === undefined || isDynamic(state)
  })
  const [answers, fees, ticks] = await Promise.all([
    readEach(chain, block, readings, asked),
    readFees(chain, block, changing),
    readTicks(chain, block, unknown),
  ])
  const ticksNow = new Map(unknown.map((reading, i) => [reading, ticks[i]]))
  return readings.map((reading, i) => {
    const state = told[i]
    const read = answers[i] ?? []
    const fee = fees.get(reading) ?? unknownFee
    if (state !== undefined) return isDynamic(state) ? { ...state, fee } : state
    const [sqrtPrice = 0n, tick = 0n, lastFee = 0n, config = 0n] = words(read[0] ?? '0x')
    const [depth = 0n] = words(read[1] ?? '0x')
    const head = { sqrtPrice, tick: Number(BigInt.asIntN(24, tick)), liquidity: depth }
    const hooks = { config: Number(config) }
    const effective = isDynamic(hooks) ? fee : Number(lastFee)
    const known = isClosed(reading) ? undefined : ticksNow.get(reading)
    const prices = known === undefined ? closedPrice : closeBeyondTicks({ ...head, ticks: known })
    return { ...prices, fee: effective, ...hooks }
  })
}

/** Undefined if the logs do not tell the state. */
function afterLogs({ before, logs }: Reading): AlgebraState | undefined {
  const stays = isClosed({ before, logs })
  let state = before
  for (const { eventName, args } of logs) {
    if (state === undefined) return undefined
    if (eventName === 'Swap' || eventName === 'Initialize') {
      if (stays) continue
      const { sqrtPriceX96, tick, liquidity } = args as Swapped
      state = { ...state, sqrtPrice: sqrtPriceX96, tick, liquidity: liquidity ?? state.liquidity }
    } else if (eventName === 'Fee') {
      // With a dynamic fee it is that of the last swap.
      if (!isDynamic(state)) state = { ...state, fee: (args as { fee: number }).fee }
    } else return undefined
  }
  return state
}

type Swapped = { sqrtPriceX96: bigint; tick: number; liquidity?: bigint }

/** The pool asks its plugin, which may not know, or burn all gas. */
async function readFees(
  chain: Chain,
  block: BlockRef,
  readings: readonly Reading[],
): Promise<Map<Reading, number>> {
  const pools = readings.map(({ listing }) => listing.address)
  const calls = pools.map((to) => [{ to, data: encodeFee() }])
  const answers = await chain.readIsolated(calls, block, pools)
  return new Map(readings.map((reading, i) => [reading, toFee(answers[i]?.[0])]))
}

function toFee(answer: `0x${string}` | undefined): number {
  const [fee = BigInt(unknownFee)] = words(answer ?? '0x')
  return fee < BigInt(unknownFee) ? Number(fee) : unknownFee
}

const globalState = () => ({ data: encodeGlobalState() })
const liquidity = () => ({ data: encodeLiquidity() })

const encodeGlobalState = view('function globalState()')
const encodeLiquidity = view('function liquidity()')
const encodeFee = view('function fee()')
const treeRoot = view('function tickTreeRoot()')
const secondLayer = view('function tickTreeSecondLayer(int16)')
const tickTable = view('function tickTable(int16)')

type Question = () => { data: `0x${string}` }

function readEach(
  chain: Chain,
  block: BlockRef,
  readings: readonly Reading[],
  questions: readonly (readonly Question[])[],
) {
  const calls = readings.map(({ listing: { address: to } }, i) =>
    (questions[i] ?? []).map((question) => ({ to, ...question() })),
  )
  return chain.read(calls, block)
}

/** Of known pools only the ticks of changed positions are read. Undefined for more than `maxTicks`. */
async function readTicks(
  chain: Chain,
  block: BlockRef,
  readings: readonly Reading[],
): Promise<(readonly Tick[] | undefined)[]> {
  const fresh = readings.filter(({ before }) => before === undefined)
  const requests = fresh.map(({ listing: { address } }) => {
    return { address, tickSpacing: 1, isAlgebra: true } as const
  })
  const whole = await chain.readPools(requests, block)
  const known = new Map(fresh.map((reading, i) => [reading, ticksOf(whole[i])]))
  const trees = fresh.filter((reading) => known.get(reading) === undefined)
  const walked = await walkTrees(chain, block, trees)
  const beyond = new Set(trees.filter((_, i) => (walked[i] as number[]).length > maxTicks))
  const indexes = readings.map((reading) => {
    if (reading.before) return touched(reading.logs)
    return beyond.has(reading) ? [] : (walked[trees.indexOf(reading)] ?? [])
  })
  const calls = readings.map(({ listing: { address: to } }, i) =>
    (indexes[i] ?? []).map((index) => ({ to, data: encodeTick(index) })),
  )
  const answers = await chain.read(calls, block)
  return readings.map((reading, i) => {
    if (beyond.has(reading)) return undefined
    return known.get(reading) ?? mergeTicks(reading.before?.ticks, indexes[i] ?? [], answers[i] ?? [])
  })
}

function ticksOf(pool: LensPool | undefined): Tick[] | undefined {
  if (pool === undefined || !('ticks' in pool)) return undefined
  return pool.ticks.map(({ index, net }) => toTick(index, net))
}

/** Initialized ticks by the pool's tree: a root, words of leaves, words of ticks (TickTree.sol). */
async function walkTrees(chain: Chain, block: BlockRef, readings: readonly Reading[]): Promise<number[][]> {
  if (readings.length === 0) return []
  const descend = async (
    encode: (index: number) => `0x${string}`,
    levels: readonly (readonly number[])[],
  ) => {
    const questions = levels.map((places) => places.map((place) => () => ({ data: encode(place) })))
    const answers = await readEach(chain, block, readings, questions)
    return levels.map((places, i) =>
      places.flatMap((place, j) => bitsOf(answers[i]?.[j]).map((bit) => place * 256 + bit)),
    )
  }
  const roots = await descend(
    () => treeRoot(),
    readings.map(() => [0]),
  )
  const leaves = await descend((node) => secondLayer(node), roots)
  const ticks = await descend(
    (leaf) => tickTable(leaf),
    leaves.map((list) => list.map((leaf) => leaf - leafOffset)),
  )
  return ticks.map((list) => list.filter((tick) => tick >= minTick && tick <= maxTick))
}

/** SECOND_LAYER_OFFSET */
const leafOffset = 3_466

function bitsOf(answer: `0x${string}` | undefined): number[] {
  const [found = 0n] = words(answer ?? '0x')
  const bits: number[] = []
  for (let [bit, word] = [0, found]; word > 0n; bit++, word >>= 1n) if (word & 1n) bits.push(bit)
  return bits
}

function touched(logs: readonly Log[]): number[] {
  const ends = logs.flatMap(({ args }) => {
    const { tickLower, tickUpper } = args as { tickLower?: number; tickUpper?: number }
    return tickLower === undefined || tickUpper === undefined ? [] : [tickLower, tickUpper]
  })
  return [...new Set(ends)]
}
