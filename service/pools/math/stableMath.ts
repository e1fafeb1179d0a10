import { divideUp } from './fixedPoint.ts'

/**
 * Integer stable invariant, rounded like balancer-v2-monorepo: StableMath.sol. Amplification is A·n^(n-1)
 * in thousandths; balances have 18 decimals. Throws a RangeError where the contract reverts.
 */

const precision = 1_000n
const maxRounds = 255

/** _calculateInvariant since 2022, rounded down. */
export function computeInvariant(amplification: bigint, balances: readonly bigint[]): bigint {
  const count = BigInt(balances.length)
  const sum = add(balances)
  if (sum === 0n) return 0n
  const amplified = amplification * count
  return iterate(sum, (invariant) => {
    let product = invariant
    for (const balance of balances) product = mul(product, invariant) / (balance * count)
    const numerator = mul(mul(amplified, sum) / precision + mul(product, count), invariant)
    return numerator / (mul(amplified - precision, invariant) / precision + (count + 1n) * product)
  })
}

/** _calculateInvariant of 2021, rounded up. */
export function computeLegacyInvariant(amplification: bigint, balances: readonly bigint[]): bigint {
  const count = BigInt(balances.length)
  const sum = add(balances)
  if (sum === 0n) return 0n
  const amplified = amplification * count
  return iterate(sum, (invariant) => {
    let product = (balances[0] as bigint) * count
    for (const balance of balances.slice(1)) {
      product = divideUp(mul(mul(product, balance), count), invariant)
    }
    const numerator = mul(mul(count, invariant), invariant)
    return divideUp(
      numerator + divideUp(mul(mul(amplified, sum), product), precision),
      mul(count + 1n, invariant) + mul(amplified - precision, product) / precision,
    )
  })
}

/** _calcOutGivenIn */
export function outGivenIn(
  amplification: bigint,
  balances: readonly bigint[],
  invariant: bigint,
  sell: number,
  buy: number,
  amount: bigint,
): bigint {
  const after = balances.map((balance, i) => (i === sell ? balance + amount : balance))
  const left = balanceAt(amplification, after, invariant, buy)
  const bought = (balances[buy] as bigint) - left - 1n
  if (bought < 0n) throw new RangeError('The amount buys less than the rounding takes.')
  return bought
}

/** StableMath.computeOutGivenExactIn of balancer-v3-monorepo, which divides later. */
export function outGivenInV3(
  amplification: bigint,
  balances: readonly bigint[],
  invariant: bigint,
  sell: number,
  buy: number,
  amount: bigint,
): bigint {
  const after = balances.map((balance, i) => (i === sell ? balance + amount : balance))
  const amplified = amplification * BigInt(balances.length)
  const square = mul(invariant, invariant)
  const product = productOf(after, invariant)
  const c = mul(divideUp(mul(square, precision), mul(amplified, product)), after[buy] as bigint)
  const b = add(after) - (after[buy] as bigint) + (invariant * precision) / amplified
  const bought = (balances[buy] as bigint) - solve(square, c, b, invariant) - 1n
  if (bought < 0n) throw new RangeError('The amount buys less than the rounding takes.')
  return bought
}

/** _getTokenBalanceGivenInvariantAndAllOtherBalances, rounded up. */
function balanceAt(
  amplification: bigint,
  balances: readonly bigint[],
  invariant: bigint,
  token: number,
): bigint {
  const count = BigInt(balances.length)
  const amplified = amplification * count
  const own = balances[token] as bigint
  const product = productOf(balances, invariant)
  const square = mul(invariant, invariant)
  const c = mul(divideUp(square, mul(amplified, product)) * precision, own)
  const b = add(balances) - own + (invariant / amplified) * precision
  return solve(square, c, b, invariant)
}

function productOf(balances: readonly bigint[], invariant: bigint): bigint {
  const count = BigInt(balances.length)
  let product = (balances[0] as bigint) * count
  for (const balance of balances.slice(1)) product = mul(mul(product, balance), count) / invariant
  return product
}

/** Newton's method for balance² + (b - invariant)·balance = c. */
function solve(square: bigint, c: bigint, b: bigint, invariant: bigint): bigint {
  return iterate(divideUp(square + c, invariant + b), (balance) => {
    const divisor = 2n * balance + b - invariant
    if (divisor < 0n) throw new RangeError('The invariant is above all the pool holds.')
    return divideUp(mul(balance, balance) + c, divisor)
  })
}

/** Like the contract, ends when the value changes by at most one. */
function iterate(start: bigint, next: (value: bigint) => bigint): bigint {
  let value = start
  for (let round = 0; round < maxRounds; round++) {
    const before = value
    value = next(before)
    const change = value - before
    if (change >= -1n && change <= 1n) return value
  }
  throw new RangeError('The contract does not come to an end here.')
}

function add(balances: readonly bigint[]): bigint {
  return balances.reduce((sum, balance) => sum + balance, 0n)
}

const word = 2n ** 256n

/** Math.mul: throws on 256-bit overflow. Sums are far below. */
function mul(a: bigint, b: bigint): bigint {
  const product = a * b
  if (product >= word) throw new RangeError('A product is larger than a word.')
  return product
}
