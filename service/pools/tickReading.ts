import { view, words } from '../indexer/abiWords.ts'
import type { BlockRef, Chain, Log } from '../indexer/chain.ts'
import { maxTicks } from './math/maxTicks.ts'
import { maxTick, minTick } from './math/sqrtPrice.ts'
import { type Priced, type Tick, toTick } from './math/ticks.ts'
import type { PoolReadRequest } from './poolType.ts'

/** True for a closed pool, which stays so until it is read anew: others get a price before all else. */
export function isClosed({
  before,
  logs,
}: Pick<PoolReadRequest<unknown, Priced>, 'before' | 'logs'>): boolean {
  return before?.sqrtPrice === 0n && !logs.some(({ eventName }) => eventName === 'Initialize')
}

type TickReading = PoolReadRequest<{ tickSpacing: number }, { ticks: readonly Tick[] }>

const tickBitmap = view('function tickBitmap(int16)')

/**
 * Returns the ticks to read: of known pools only those with changed positions. Undefined for more than
 * `maxTicks`.
 */
export async function ticksToRead(
  chain: Chain,
  block: BlockRef,
  readings: readonly TickReading[],
): Promise<(number[] | undefined)[]> {
  const places = readings.map(({ before, listing }) => (before ? [] : bitmapWords(listing.fixed.tickSpacing)))
  const calls = readings.map(({ listing: { address: to } }, i) =>
    (places[i] ?? []).map((place) => ({ to, data: tickBitmap(place) })),
  )
  const answers = await chain.read(calls, block)
  return readings.map(({ before, logs, listing }, i) => {
    if (before) return touchedTicks(logs)
    // No word where a reorganization has taken the pool back.
    const bitmap = (answers[i] ?? []).map((answer) => words(answer)[0] ?? 0n)
    return ticksOfBitmap(places[i] ?? [], bitmap, listing.fixed.tickSpacing)
  })
}

export const encodeTick = view('function ticks(int24)')

/** Returns the initialized ticks, ascending: those known before, with the returned data of `read` ones. */
export function mergeTicks(
  before: readonly Tick[] | undefined,
  indexes: readonly number[],
  read: readonly `0x${string}`[],
): Tick[] {
  const known = new Map(before?.map((tick) => [tick.index, tick]))
  indexes.forEach((index, i) => {
    const [gross = 0n, net = 0n] = words(read[i] ?? '0x')
    if (gross === 0n) known.delete(index)
    else known.set(index, toTick(index, BigInt.asIntN(128, net)))
  })
  return [...known.values()].sort((a, b) => a.index - b.index)
}

/** Numbers of the words of a pool's bitmap (v3-core: TickBitmap). */
export function bitmapWords(tickSpacing: number): number[] {
  const first = Math.ceil(minTick / tickSpacing) >> 8
  const last = Math.floor(maxTick / tickSpacing) >> 8
  return Array.from({ length: last - first + 1 }, (_, i) => first + i)
}

/** Returns the ticks that words of a bitmap tell, by their numbers; undefined for more than `maxTicks`. */
export function ticksOfBitmap(
  numbers: readonly number[],
  bitmap: readonly bigint[],
  tickSpacing: number,
): number[] | undefined {
  const ticks: number[] = []
  for (const [i, number] of numbers.entries()) {
    for (const bit of bitmapBits(bitmap[i] ?? 0n)) ticks.push((number * 256 + bit) * tickSpacing)
    if (ticks.length > maxTicks) return undefined
  }
  return ticks
}

function bitmapBits(word: bigint): number[] {
  const bits: number[] = []
  for (let bit = 0; word > 0n; bit++, word >>= 1n) if (word & 1n) bits.push(bit)
  return bits
}

/** Ends of the positions that logs change. */
export function touchedTicks(logs: readonly Log[]): number[] {
  const ends = logs.flatMap(({ args }) => {
    const { tickLower, tickUpper } = args as { tickLower?: number; tickUpper?: number }
    return tickLower === undefined || tickUpper === undefined ? [] : [tickLower, tickUpper]
  })
  return [...new Set(ends)]
}
