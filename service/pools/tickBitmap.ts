import { maxTick, minTick } from './math/sqrtPrice.ts'

/**
 * Words of the bitmap that a swap may search: a price 700 times as high at a spacing of 1. Anyone can create
 * a pool whose price is a million empty ticks from its liquidity, and each word costs gas.
 */
const maxWords = 256

/** Ticks of a word. */
const wordSize = 256

/** Returns the last tick of the bitmap word that is searched next (v3-core: TickBitmap). */
export function wordEdge(tick: number, tickSpacing: number, down: boolean): number {
  const word = wordOf(tick, tickSpacing, down)
  return clamp((down ? word * wordSize : word * wordSize + wordSize - 1) * tickSpacing)
}

/** Returns the number of ends of words that a swap passes from `tick` to `target`. */
export function wordsBetween(tick: number, target: number, tickSpacing: number, down: boolean): number {
  const last = Math.floor(target / tickSpacing / wordSize)
  return Math.max(0, (last - wordOf(tick, tickSpacing, down)) * (down ? -1 : 1))
}

/** Returns the last tick that a swap from `tick` may reach. */
export function farthestTick(tick: number, tickSpacing: number, down: boolean): number {
  const distance = maxWords * wordSize * tickSpacing
  return clamp(down ? tick - distance : tick + distance)
}

function wordOf(tick: number, tickSpacing: number, down: boolean): number {
  const compressed = Math.floor(tick / tickSpacing) + (down ? 0 : 1)
  return Math.floor(compressed / wordSize)
}

function clamp(tick: number): number {
  return Math.min(Math.max(tick, minTick), maxTick)
}
