import { view, words } from '../../indexer/abiWords.ts'
import type { Chain, Log } from '../../indexer/chain.ts'
import type { PoolReadRequest } from '../poolType.ts'
import { maxTick, minTick, sqrtPriceAtTick } from './sqrtPrice.ts'

/** An initialized tick; crossing it upwards adds `net` liquidity. */
export type Tick = { index: number; sqrtPrice: bigint; net: bigint }

const tickBitmap = view('function tickBitmap(int16)')
const ticks = view('function ticks(int24)')

/** Returns the initialized ticks, ascending. For known pools only ticks with changed positions are read. */
export async function readTicks(
  chain: Chain,
  block: bigint,
  readings: readonly PoolReadRequest<{ tickSpacing: number }, { ticks: readonly Tick[] }>[],
): Promise<Tick[][]> {
  const initialised = await findInitialised(chain, block, readings)
  const wanted = readings.map(({ before, logs }, i) => (before ? touched(logs) : (initialised[i] ?? [])))
  const calls = readings.map(({ listing: { address: to } }, i) =>
    (wanted[i] ?? []).map((tick) => ({ to, data: ticks(tick) })),
  )
  const answers = await chain.read(calls, block)
  return readings.map(({ before }, i) => {
    const known = new Map(before?.ticks.map((tick) => [tick.index, tick]))
    wanted[i]?.forEach((index, j) => {
      const [gross = 0n, net = 0n] = words(answers[i]?.[j] ?? '0x')
      if (gross === 0n) known.delete(index)
      else known.set(index, { index, sqrtPrice: sqrtPriceAtTick(index), net: BigInt.asIntN(128, net) })
    })
    return [...known.values()].sort((a, b) => a.index - b.index)
  })
}

async function findInitialised(
  chain: Chain,
  block: bigint,
  readings: readonly PoolReadRequest<{ tickSpacing: number }>[],
): Promise<number[][]> {
  const places = readings.map(({ before, listing }) => (before ? [] : wordsOf(listing.fixed.tickSpacing)))
  const calls = readings.map(({ listing: { address: to } }, i) =>
    (places[i] ?? []).map((place) => ({ to, data: tickBitmap(place) })),
  )
  const answers = await chain.read(calls, block)
  return readings.map(({ listing }, i) =>
    (places[i] ?? []).flatMap((place, j) => {
      const bits = bitsOf(BigInt(answers[i]?.[j] ?? 0n))
      return bits.map((bit) => (place * 256 + bit) * listing.fixed.tickSpacing)
    }),
  )
}

function wordsOf(tickSpacing: number): number[] {
  const first = Math.ceil(minTick / tickSpacing) >> 8
  const last = Math.floor(maxTick / tickSpacing) >> 8
  return Array.from({ length: last - first + 1 }, (_, i) => first + i)
}

function bitsOf(word: bigint): number[] {
  const bits: number[] = []
  for (let bit = 0; word > 0n; bit++, word >>= 1n) if (word & 1n) bits.push(bit)
  return bits
}

function touched(logs: readonly Log[]): number[] {
  const ends = logs.flatMap(({ args }) => {
    const { tickLower, tickUpper } = args as { tickLower?: number; tickUpper?: number }
    return tickLower === undefined || tickUpper === undefined ? [] : [tickLower, tickUpper]
  })
  return [...new Set(ends)]
}
