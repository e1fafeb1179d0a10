import type { PoolSteps } from '../pool.ts'
import { highestSqrtPrice, lowestSqrtPrice, swapStep } from './sqrtPrice.ts'
import type { Tick } from './ticks.ts'

export type AlgebraRange = { sqrtPrice: bigint; tick: number; liquidity: bigint; ticks: readonly Tick[] }

/**
 * Output of an exact input without a price limit, in base units; 0n if the pool cannot fill it. Ticks are a
 * linked list, so only initialized ones end a step (Algebra Integral: SwapCalculation, PriceMovementMath).
 * `down` sells token0; `feePpm` is below a million. Counts what it crosses in `steps`.
 */
export function algebraAmountOut(
  { sqrtPrice: start, tick, liquidity: depth, ticks }: AlgebraRange,
  down: boolean,
  amount: bigint,
  feePpm: number,
  steps?: PoolSteps,
): bigint {
  const limit = down ? lowestSqrtPrice : highestSqrtPrice
  if (amount <= 0n || amount > maxAmount || (down ? start <= limit : start >= limit)) return 0n
  const fee = BigInt(feePpm)
  let [sqrtPrice, liquidity, left, bought] = [start, depth, amount, 0n]
  // Next initialized tick: at or below the price downwards, else above.
  let ahead = countUpTo(ticks, tick) - (down ? 1 : 0)
  while (left > 0n && sqrtPrice !== limit) {
    const meets = ticks[ahead]
    if (meets === undefined && liquidity === 0n) return 0n
    const isBefore = meets !== undefined && (down ? meets.sqrtPrice >= limit : meets.sqrtPrice <= limit)
    const step = swapStep(sqrtPrice, isBefore ? meets.sqrtPrice : limit, liquidity, left, fee)
    sqrtPrice = step.sqrtPrice
    left -= step.sold
    bought += step.bought
    if (meets === undefined || sqrtPrice !== meets.sqrtPrice) continue
    steps?.crossed.push(meets.index)
    liquidity += down ? -meets.net : meets.net
    ahead += down ? -1 : 1
  }
  return left === 0n ? bought : 0n
}

/** Reserves are uint128 and not followed: half of that is left for them. */
const maxAmount = 2n ** 127n

function countUpTo(ticks: readonly Tick[], tick: number): number {
  let low = 0
  let high = ticks.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ticks[middle] as Tick).index <= tick) low = middle + 1
    else high = middle
  }
  return low
}
