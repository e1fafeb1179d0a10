import { maxUint256 } from 'viem'

// Integer arithmetic of StableSwap pools, with the rounding and the overflows of the contracts: Curve's
// SwapTemplateBase.vy and StableSwap3Pool.vy (github.com/curvefi/curve-contract), CurveStableSwapNG.vy
// (github.com/curvefi/stableswap-ng), and PancakeSwap's PancakeStableSwapTwoPool.sol, which is the first in
// Solidity. Paper: Egorov 2019, "StableSwap". Functions throw a RangeError where the contract reverts.

/** A pool's arithmetic and its numbers at one block. */
export type StableSwapNumbers = {
  /** True where D's product is divided by n^n at once, not by n per token. */
  isJoint: boolean
  /** True for pools of Curve's StableSwap-NG, which store prices. */
  isNg: boolean
  /** Parts of one in `amplification`: 100, or 1 in pools of 2020. */
  precision: bigint
  /** A·n^(n-1) in parts of `precision`. */
  amplification: bigint
  balances: readonly bigint[]
  /** Worth of 10^18 base units with 18 decimals: 10^(36 - decimals), times the rate of the token. */
  rates: readonly bigint[]
  /** In 10^-10 of the output, and the part of it that leaves the pool's balances. */
  fee: bigint
  adminFee: bigint
  /** Times the fee far off balance, in 10^-10; at most one where the fee is fixed. */
  offpegMultiplier: bigint
}

export type StableSwapExchange = { bought: bigint; adminFee: bigint }

export const feeDenominator = 10n ** 10n
const one = 10n ** 18n
const maxRounds = 255

/** Returns the balances with 18 decimals (`_xp`). */
export function scaledBalances({ balances, rates }: StableSwapNumbers): bigint[] {
  return balances.map((balance, i) => times(rates[i] as bigint, balance) / one)
}

/** Returns the invariant D of balances with 18 decimals (`get_D`). */
export function invariantOf(
  { isJoint, precision, amplification }: StableSwapNumbers,
  balances: readonly bigint[],
): bigint {
  const count = BigInt(balances.length)
  const sum = balances.reduce(plus, 0n)
  if (sum === 0n) return 0n
  const amplified = times(amplification, count)
  const all = times(amplified, sum) / precision
  let invariant = sum
  for (let round = 0; round < maxRounds; round++) {
    let product = invariant
    for (const balance of balances) {
      product = times(product, invariant) / (isJoint ? balance : times(balance, count))
    }
    if (isJoint) product /= count ** count
    const before = invariant
    invariant =
      times(plus(all, times(product, count)), before) /
      plus(times(minus(amplified, precision), before) / precision, times(count + 1n, product))
    if (isClose(invariant, before)) return invariant
  }
  // Pools of 2020 go on with the last value.
  if (precision === 1n) return invariant
  throw new RangeError('The invariant does not converge.')
}

/** Returns what the pool sells for `amount`, and the fee that leaves its balances (`exchange`). */
export function exchange(
  pool: StableSwapNumbers,
  invariant: bigint,
  sell: number,
  buy: number,
  amount: bigint,
): StableSwapExchange {
  const { isNg, balances, rates, adminFee } = pool
  const before = scaledBalances(pool)
  const { x, y, change, fee } = solve(pool, before, invariant, sell, buy, amount)
  const rate = rates[buy] as bigint
  const bought = times(minus(change, fee), one) / rate
  const kept = times(times(fee, adminFee) / feeDenominator, one) / rate
  plus(balances[sell] as bigint, amount)
  minus(balances[buy] as bigint, plus(bought, kept))
  if (isNg) {
    const after = before.map((balance, i) => (i === sell ? x : i === buy ? y : balance))
    requirePrices(pool, after, invariant)
  }
  return { bought, adminFee: kept }
}

/**
 * Returns what the pool's `get_dy` answers: the output of `exchange`, but for older pools, which take the fee
 * from the output in base units (`isLate`).
 */
export function viewExchange(
  pool: StableSwapNumbers,
  sell: number,
  buy: number,
  amount: bigint,
  isLate: boolean,
): bigint {
  const balances = scaledBalances(pool)
  const { change, fee } = solve(pool, balances, invariantOf(pool, balances), sell, buy, amount)
  const rate = pool.rates[buy] as bigint
  if (!isLate) return times(minus(change, fee), one) / rate
  const whole = times(change, one) / rate
  return whole - times(pool.fee, whole) / feeDenominator
}

/** Returns the fee at balances with 18 decimals, in 10^-10 (`_dynamic_fee`). */
export function dynamicFee(
  { fee, offpegMultiplier }: Pick<StableSwapNumbers, 'fee' | 'offpegMultiplier'>,
  balanceIn: bigint,
  balanceOut: bigint,
): bigint {
  if (offpegMultiplier <= feeDenominator) return fee
  const sum = plus(balanceIn, balanceOut)
  const product = times(times(times(offpegMultiplier - feeDenominator, 4n), balanceIn), balanceOut)
  return (offpegMultiplier * fee) / (product / times(sum, sum) + feeDenominator)
}

type Solution = {
  /** Balances of the sold and of the bought token after, with 18 decimals. */
  x: bigint
  y: bigint
  /** Output before fee and the fee, with 18 decimals. */
  change: bigint
  fee: bigint
}

function solve(
  pool: StableSwapNumbers,
  balances: readonly bigint[],
  invariant: bigint,
  sell: number,
  buy: number,
  amount: bigint,
): Solution {
  const [heldIn, heldOut] = [balances[sell] as bigint, balances[buy] as bigint]
  const x = plus(heldIn, times(amount, pool.rates[sell] as bigint) / one)
  const y = balanceAfter(pool, balances, invariant, sell, buy, x)
  // One less, for rounding.
  const change = minus(minus(heldOut, y), 1n)
  const rate = dynamicFee(pool, plus(heldIn, x) / 2n, plus(heldOut, y) / 2n)
  return { x, y, change, fee: times(change, rate) / feeDenominator }
}

/** Returns the balance of `buy` at which the invariant holds with `x` of `sell` (`get_y`). */
function balanceAfter(
  { precision, amplification }: StableSwapNumbers,
  balances: readonly bigint[],
  invariant: bigint,
  sell: number,
  buy: number,
  x: bigint,
): bigint {
  const count = BigInt(balances.length)
  const amplified = times(amplification, count)
  let c = invariant
  let sum = 0n
  for (const [i, balance] of balances.entries()) {
    if (i === buy) continue
    const other = i === sell ? x : balance
    sum = plus(sum, other)
    c = times(c, invariant) / times(other, count)
  }
  c = times(times(c, invariant), precision) / times(amplified, count)
  const b = plus(sum, times(invariant, precision) / amplified)
  let y = invariant
  for (let round = 0; round < maxRounds; round++) {
    const before = y
    y = plus(times(y, y), c) / minus(plus(times(2n, y), b), invariant)
    if (isClose(y, before)) return y
  }
  if (precision === 1n) return y
  throw new RangeError('The balance does not converge.')
}

/** NG pools store prices and D at each swap: throws where that reverts (`upkeep_oracles`, `_get_p`). */
function requirePrices(
  { amplification }: StableSwapNumbers,
  balances: readonly bigint[],
  invariant: bigint,
): void {
  if (invariant >= 2n ** 128n) throw new RangeError('D has more than 128 bits.')
  const count = BigInt(balances.length)
  const first = balances[0] as bigint
  let ratio = invariant / count ** count
  for (const balance of balances) ratio = times(ratio, invariant) / balance
  const amplified = times(BigInt.asUintN(256, amplification * count), first) / 100n
  for (const balance of balances.slice(1)) {
    const price = plus(amplified, times(ratio, first) / balance)
    times(one, price) / plus(amplified, ratio)
  }
}

function isClose(one: bigint, other: bigint): boolean {
  return one > other ? one - other <= 1n : other - one <= 1n
}

// Checked arithmetic of Vyper and of Solidity 0.8. A division by zero is a RangeError of its own.

function times(a: bigint, b: bigint): bigint {
  return checked(a * b)
}

function plus(a: bigint, b: bigint): bigint {
  return checked(a + b)
}

function checked(result: bigint): bigint {
  if (result > maxUint256) throw new RangeError('More than 256 bits.')
  return result
}

function minus(a: bigint, b: bigint): bigint {
  if (b > a) throw new RangeError('Less than zero.')
  return a - b
}
