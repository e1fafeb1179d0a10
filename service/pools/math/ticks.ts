import { maxTicks } from './maxTicks.ts'
import { sqrtPriceAtTick } from './sqrtPrice.ts'

/** An initialized tick; crossing it upwards adds `net` liquidity. */
export type Tick = { index: number; sqrtPrice: bigint; net: bigint }

export function toTick(index: number, net: bigint): Tick {
  return { index, sqrtPrice: sqrtPriceAtTick(index), net }
}

/** Returns how many of the sorted ticks are at or below `tick`. */
export function countUpTo(ticks: readonly Tick[], tick: number): number {
  let low = 0
  let high = ticks.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ticks[middle] as Tick).index <= tick) low = middle + 1
    else high = middle
  }
  return low
}

const validTicks = new WeakSet<readonly Tick[]>()

/** Marks ticks that were validated before, as those in shared memory: swaps keep them, and often. */
export function markValid<Ticks extends readonly Tick[]>(ticks: Ticks): Ticks {
  validTicks.add(ticks)
  return ticks
}

export function isMarkedValid(ticks: unknown): ticks is readonly Tick[] {
  return validTicks.has(ticks as readonly Tick[])
}

export type Priced = { sqrtPrice: bigint; tick: number; liquidity: bigint; ticks: readonly Tick[] }

/** Of a pool of more than `maxTicks`: quotes nothing, as one without a price. */
export const closedPrice: Priced = { sqrtPrice: 0n, tick: 0, liquidity: 0n, ticks: [] }

/** Closes a pool of more than `maxTicks`. */
export function closeBeyondTicks<State extends Priced>(state: State): State {
  return state.ticks.length > maxTicks ? { ...state, ...closedPrice } : state
}
