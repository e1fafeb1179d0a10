import type { Address } from '../config.ts'
import type { Concentrated, FeeTier } from './concentratedState.ts'
import { gasCosts } from './gasCosts.ts'
import { createLiquidityRanges, type LiquidityRange } from './liquidityRanges.ts'
import {
  createSqrtPrices,
  highestSqrtPrice,
  lowestSqrtPrice,
  maxTick,
  minTick,
  sqrtPriceAtTick,
  swapStep,
} from './math/sqrtPrice.ts'
import { countUpTo, type Tick } from './math/ticks.ts'
import type { Pool, PoolSteps, Spot } from './pool.ts'
import type { PoolInfo } from './poolType.ts'
import type { Curve } from './priceCurve.ts'
import { farthestTick, wordEdge, wordsBetween } from './tickBitmap.ts'

/** Part of the capacity left out as margin for rounding. */
const spare = 1e-3

/** The contract uses int256. */
const maxAmount = 2n ** 255n - 1n

/** Estimate of the initialized ticks and the ends of bitmap words that a swap crosses. */
type Crossings = { ticks: number; words: number }

export type ConcentratedPool = Pool & { crossings(sell: Address, amount: bigint): Crossings }

/** `computeStep` is the contract's arithmetic of one range. */
export function concentratedPool(
  listing: PoolInfo<FeeTier>,
  state: Concentrated,
  computeStep = swapStep,
): ConcentratedPool {
  const { address, source, tokens, fixed } = listing
  const { tickSpacing, feePpm } = fixed
  const keep = 1 - feePpm / 1e6
  const curves: (Curve | undefined)[] = []
  const limits: (bigint | undefined)[] = []

  function limitOf(down: boolean): bigint {
    const direction = down ? 0 : 1
    const limit = limits[direction] ?? priceLimit(farthestTick(state.tick, tickSpacing, down), down)
    limits[direction] = limit
    return limit
  }

  function crossings(sell: Address, amount: bigint): Crossings {
    const down = sell === tokens[0]
    const { slope, steps, capacity } = curve(sell)
    const sold = Math.min(Number(amount), capacity * (1 - 1e-9))
    // The slope is the price after the swap.
    const price = slope(sold) / keep
    const reached = price > 0 ? (Math.log(price) / Math.log(1.0001)) * (down ? 1 : -1) : state.tick
    return {
      ticks: steps(sold),
      words: wordsBetween(state.tick, reached, tickSpacing, down),
    }
  }

  function curve(sell: Address): Curve {
    const down = sell === tokens[0]
    const direction = down ? 0 : 1
    const known = curves[direction]
    if (known) return known
    const usable = createLiquidityRanges(keep, stretches(state, down, limitOf(down)), spare)
    curves[direction] = usable
    return usable
  }

  return {
    address,
    source,
    tokens,
    quote: (sell, _buy, amount) => quote(fixed, state, sell === tokens[0], amount, computeStep),
    steps(sell, amount) {
      const steps: PoolSteps = { crossed: [], words: 0 }
      quote(fixed, state, sell === tokens[0], amount, computeStep, steps)
      return steps
    },
    curve,
    spot(sell) {
      const down = sell === tokens[0]
      return spot(keep, state, down, limitOf(down))
    },
    crossings,
    gas(sell, _buy, amount) {
      const { ticks, words } = crossings(sell, amount)
      return gasCosts.concentrated + gasCosts.tick * BigInt(ticks) + gasCosts.word * BigInt(words)
    },
    encode: () => ({ kind: 3, fee: 0 }),
  }
}

/** UniswapV3Pool.swap of v3-core, without a price limit. Counts what it crosses in `steps`. */
function quote(
  { tickSpacing, feePpm }: FeeTier,
  state: Concentrated,
  down: boolean,
  amount: bigint,
  computeStep: typeof swapStep,
  steps?: PoolSteps,
): bigint {
  if (amount <= 0n || amount > maxAmount || state.sqrtPrice === 0n) return 0n
  const { ticks } = state
  const fee = BigInt(feePpm)
  const limit = down ? lowestSqrtPrice : highestSqrtPrice
  let { sqrtPrice, tick, liquidity } = state
  let left = amount
  let bought = 0n
  // Next initialized tick: at or below the price downwards, else above.
  let ahead = countUpTo(ticks, tick) - (down ? 1 : 0)

  if (down ? sqrtPrice < limit : sqrtPrice > limit) return 0n
  while (left > 0n && sqrtPrice !== limit) {
    const meets = ticks[ahead]
    if (meets === undefined && liquidity === 0n) return 0n
    // The contract searches one bitmap word at a time and rounds a step at its end.
    const edge = wordEdge(tick, tickSpacing, down)
    const isNear = meets !== undefined && (down ? meets.index >= edge : meets.index <= edge)
    // Without liquidity nothing is sold, so all empty words are one step.
    const initialised = isNear || (meets !== undefined && liquidity === 0n)
    if (steps && initialised && !isNear) steps.words += wordsBetween(tick, meets.index, tickSpacing, down)
    const next = initialised ? meets.index : edge
    const price = initialised ? meets.sqrtPrice : edgePrices.at(edge)
    const target = (down ? price < limit : price > limit) ? limit : price

    const step = computeStep(sqrtPrice, target, liquidity, left, fee)
    sqrtPrice = step.sqrtPrice
    left -= step.sold
    bought += step.bought
    if (sqrtPrice !== price) continue
    tick = down ? next - 1 : next
    if (!initialised) {
      if (steps) steps.words++
      continue
    }
    steps?.crossed.push(next)
    liquidity += down ? -meets.net : meets.net
    ahead += down ? -1 : 1
  }
  return left === 0n ? bought : 0n
}

/** Word ends are shared by pools of equal spacing, of which Uniswap v4 has thousands. */
const edgePrices = createSqrtPrices(8_000)

/** Exclusive. */
function priceLimit(tick: number, down: boolean): bigint {
  if (tick === minTick || tick === maxTick) return down ? lowestSqrtPrice : highestSqrtPrice
  return sqrtPriceAtTick(tick)
}

/** Price and virtual reserve of the first range with liquidity before the √price `limit`. */
function spot(
  keep: number,
  { sqrtPrice, tick, liquidity, ticks }: Concentrated,
  down: boolean,
  limit: bigint,
): Spot {
  const [step, end] = down ? [-1, -1] : [1, ticks.length]
  let price = sqrtPrice
  let depth = liquidity
  for (let i = countUpTo(ticks, tick) - (down ? 1 : 0); i !== end; i += step) {
    const next = ticks[i] as Tick
    if (down ? price <= limit : price >= limit) break
    if (depth > 0n && next.sqrtPrice !== price) {
      const root = Number(price) / 2 ** 96
      const [start, reserve] = down ? [root * root, root] : [1 / (root * root), 1 / root]
      return { start: keep * start, depth: Number(depth) * reserve }
    }
    price = next.sqrtPrice
    depth += down ? -next.net : next.net
  }
  return { start: 0, depth: 0 }
}

/** Ranges in one direction up to the √price `limit`, as virtual reserves (v3 whitepaper, 6.2.1). */
function stretches(
  { sqrtPrice, tick, liquidity, ticks }: Concentrated,
  down: boolean,
  limit: bigint,
): LiquidityRange[] {
  const found: LiquidityRange[] = []
  const ahead = countUpTo(ticks, tick)
  const way = down ? ticks.slice(0, ahead).reverse() : ticks.slice(ahead)
  let price = Number(sqrtPrice) / 2 ** 96
  let depth = liquidity
  const last = Number(limit) / 2 ** 96
  for (const { sqrtPrice: end, net } of way) {
    if (down ? price <= last : price >= last) break
    const tickPrice = Number(end) / 2 ** 96
    const next = down ? Math.max(tickPrice, last) : Math.min(tickPrice, last)
    if (depth > 0n && next !== price) {
      const whole = Number(depth)
      const [reserveIn, reserveOut] = down ? [whole / price, whole * price] : [whole * price, whole / price]
      const room = down ? whole * (1 / next - 1 / price) : whole * (next - price)
      found.push({ reserveIn, reserveOut, room })
    }
    price = next
    depth += down ? -net : net
  }
  return found
}
