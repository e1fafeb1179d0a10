/**
 * The arithmetic of concentrated liquidity, rounding as the v3 pool does (v3 whitepaper, 6.2–6.3; v3-core: TickMath,
 * SqrtPriceMath, SwapMath). A √price is √(token1/token0) in Q64.96.
 */

export const minTick = -887_272
export const maxTick = 887_272

const q32 = 1n << 32n
const q96 = 1n << 96n
const q128 = 1n << 128n
const q256 = 1n << 256n
const million = 1_000_000n

/** 1.0001^(tick/2), rounded up from Q128.128 as the contract keeps it. */
export function sqrtPriceAtTick(tick: number): bigint {
  const size = Math.abs(tick)
  let ratio = q128
  halvings.forEach((factor, bit) => {
    if (size & (1 << bit)) ratio = (ratio * factor) >> 128n
  })
  if (tick > 0) ratio = (q256 - 1n) / ratio
  return divideUp(ratio, q32)
}

/** 1/1.0001^(2^bit / 2) in Q128.128, rounded to the nearest: the factors of a negative tick's price. */
const halvings = (() => {
  const extra = 512n
  let power = squareRoot((10_000n << (2n * (128n + extra))) / 10_001n)
  return Array.from({ length: 20 }, () => {
    const rounded = (power + (1n << (extra - 1n))) >> extra
    power = (power * power) >> (128n + extra)
    return rounded
  })
})()

/** The prices no swap reaches: one inside those of the outermost ticks. */
export const lowestSqrtPrice = sqrtPriceAtTick(minTick) + 1n
export const highestSqrtPrice = sqrtPriceAtTick(maxTick) - 1n

export type Step = { sqrtPrice: bigint; sold: bigint; bought: bigint }

/**
 * Sells at most `amount`, fee included, from `sqrtPrice` towards `target` at one liquidity. `sold` is what was taken, fee
 * included. A target below the price sells token0, else token1.
 */
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
  // Rounding the price may reach the target with input to spare: the pool then takes the whole step's, and goes on.
  return { sqrtPrice: next, sold: whole + divideUp(whole * feePpm, million - feePpm), bought }
}

/** The price after `amount` more of token0, rounded up. The contract's second formula stands in where 256 bits overflow. */
function priceAfterToken0(sqrtPrice: bigint, liquidity: bigint, amount: bigint): bigint {
  if (amount === 0n) return sqrtPrice
  const shifted = liquidity << 96n
  const product = amount * sqrtPrice
  if (product < q256 && shifted + product < q256) return divideUp(shifted * sqrtPrice, shifted + product)
  return divideUp(shifted, shifted / sqrtPrice + amount)
}

/** Token0 between two √prices, the lower first. */
function amount0(low: bigint, high: bigint, liquidity: bigint, up: boolean): bigint {
  const product = (liquidity << 96n) * (high - low)
  return up ? divideUp(divideUp(product, high), low) : product / high / low
}

/** Token1 between two √prices, the lower first. */
function amount1(low: bigint, high: bigint, liquidity: bigint, up: boolean): bigint {
  const product = liquidity * (high - low)
  return up ? divideUp(product, q96) : product >> 96n
}

function divideUp(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator
}

function squareRoot(value: bigint): bigint {
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}
