/**
 * Concentrated liquidity, rounded like the contract (v3 whitepaper, 6.2–6.3; v3-core: TickMath,
 * SqrtPriceMath, SwapMath). A √price is √(token1/token0) in Q64.96.
 */

export const minTick = -887_272
export const maxTick = 887_272

const q32 = 1n << 32n
const q96 = 1n << 96n
const q128 = 1n << 128n
const q256 = 1n << 256n
const million = 1_000_000n

/** Returns 1.0001^(tick/2), rounded up from Q128.128. */
export function sqrtPriceAtTick(tick: number): bigint {
  const size = Math.abs(tick)
  let ratio = q128
  halvings.forEach((factor, bit) => {
    if (size & (1 << bit)) ratio = (ratio * factor) >> 128n
  })
  if (tick > 0) ratio = (q256 - 1n) / ratio
  return divideUp(ratio, q32)
}

/** 1/1.0001^(2^bit / 2) in Q128.128, rounded to nearest. */
const halvings = (() => {
  const extra = 512n
  let power = squareRoot((10_000n << (2n * (128n + extra))) / 10_001n)
  return Array.from({ length: 20 }, () => {
    const rounded = (power + (1n << (extra - 1n))) >> extra
    power = (power * power) >> (128n + extra)
    return rounded
  })
})()

/** Creates a `sqrtPriceAtTick` that remembers at most `most` prices: one takes a microsecond. */
export function createSqrtPrices(most: number): { at(tick: number): bigint; size(): number } {
  const prices = new Map<number, bigint>()
  return {
    at(tick) {
      const known = prices.get(tick)
      if (known !== undefined) return known
      if (prices.size === most) prices.clear()
      const price = sqrtPriceAtTick(tick)
      prices.set(tick, price)
      return price
    },
    size: () => prices.size,
  }
}

/** Exclusive price limits. */
export const lowestSqrtPrice = sqrtPriceAtTick(minTick) + 1n
export const highestSqrtPrice = sqrtPriceAtTick(maxTick) - 1n

export type Step = { sqrtPrice: bigint; sold: bigint; bought: bigint }

/** Sells at most `amount`, fee included, towards `target`: token0 downwards, else token1. */
export function swapStep(
  sqrtPrice: bigint,
  target: bigint,
  liquidity: bigint,
  amount: bigint,
  feePpm: bigint,
): Step {
  const down = sqrtPrice >= target
  const input = (amount * (million - feePpm)) / million
  const whole = down
    ? amount0(target, sqrtPrice, liquidity, true)
    : amount1(sqrtPrice, target, liquidity, true)
  if (input >= whole) {
    const bought = down
      ? amount1(target, sqrtPrice, liquidity, false)
      : amount0(sqrtPrice, target, liquidity, false)
    return { sqrtPrice: target, sold: whole + divideUp(whole * feePpm, million - feePpm), bought }
  }
  const next = down ? priceAfterToken0(sqrtPrice, liquidity, input) : sqrtPrice + (input * q96) / liquidity
  const bought = down
    ? amount1(next, sqrtPrice, liquidity, false)
    : amount0(sqrtPrice, next, liquidity, false)
  if (next !== target) return { sqrtPrice: next, sold: amount, bought }
  // If rounding reaches the target, the contract takes the whole step's input and continues.
  return { sqrtPrice: next, sold: whole + divideUp(whole * feePpm, million - feePpm), bought }
}

/** `swapStep` of Uniswap v4: if rounding reaches the target, the swap ends there (v4-core: SwapMath). */
export const swapStepV4: typeof swapStep = (sqrtPrice, target, liquidity, amount, feePpm) => {
  const step = swapStep(sqrtPrice, target, liquidity, amount, feePpm)
  if (step.sqrtPrice !== target) return step
  const input = (amount * (million - feePpm)) / million
  const whole =
    sqrtPrice >= target
      ? amount0(target, sqrtPrice, liquidity, true)
      : amount1(sqrtPrice, target, liquidity, true)
  return input >= whole ? step : { ...step, sold: amount }
}

/** Rounded up, with the contract's second formula where 256 bits overflow. */
function priceAfterToken0(sqrtPrice: bigint, liquidity: bigint, amount: bigint): bigint {
  if (amount === 0n) return sqrtPrice
  const shifted = liquidity << 96n
  const product = amount * sqrtPrice
  if (product < q256 && shifted + product < q256) return divideUp(shifted * sqrtPrice, shifted + product)
  return divideUp(shifted, shifted / sqrtPrice + amount)
}

export function amount0(low: bigint, high: bigint, liquidity: bigint, up: boolean): bigint {
  const product = (liquidity << 96n) * (high - low)
  return up ? divideUp(divideUp(product, high), low) : product / high / low
}

export function amount1(low: bigint, high: bigint, liquidity: bigint, up: boolean): bigint {
  const product = liquidity * (high - low)
  return up ? divideUp(product, q96) : product >> 96n
}

function divideUp(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator
}

export function squareRoot(value: bigint): bigint {
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}
