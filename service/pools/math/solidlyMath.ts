import { maxUint256 } from 'viem'

// Integer arithmetic of Solidly pools as in Aerodrome's Pool.sol (github.com/aerodrome-finance/contracts),
// with the rounding and the overflows of its operations. Functions throw a RangeError where it reverts.

/** A pool of two tokens. */
export type SolidlyCurve = {
  isStable: boolean
  /** 10^decimals per token. */
  units: readonly [bigint, bigint]
}

const one = 10n ** 18n
const maxRounds = 255

/** Returns the fee on an amount, in 1/10,000 of it, rounded down. */
export function feeOf(amount: bigint, fee: bigint): bigint {
  return times(amount, fee) / 10_000n
}

/** Returns the output for an input after fee (`_getAmountOut`); `sell` is 0 or 1. */
export function amountOut(
  { isStable, units }: SolidlyCurve,
  reserves: readonly [bigint, bigint],
  sell: 0 | 1,
  input: bigint,
): bigint {
  const buy = sell === 0 ? 1 : 0
  const [reserveIn, reserveOut] = [reserves[sell], reserves[buy]]
  if (!isStable) return divide(times(input, reserveOut), plus(reserveIn, input))
  const xy = stableInvariant(units, reserves)
  const [scaledIn, scaledOut] = scaledBalances({ units }, reserves, sell)
  const scaled = times(input, one) / units[sell]
  const left = balanceAfter(plus(scaled, scaledIn), xy, scaledOut, units)
  return times(minus(scaledOut, left), units[buy]) / one
}

/** Returns the invariant that a swap must not lower (`_k`). */
export function invariantOf({ isStable, units }: SolidlyCurve, reserves: readonly [bigint, bigint]): bigint {
  return isStable ? stableInvariant(units, reserves) : times(reserves[0], reserves[1])
}

/** Returns the balances of the sold and of the bought token with 18 decimals, rounded down. */
export function scaledBalances(
  { units }: Pick<SolidlyCurve, 'units'>,
  reserves: readonly [bigint, bigint],
  sell: 0 | 1,
): [bigint, bigint] {
  const scaled = reserves.map((reserve, i) => times(reserve, one) / (units[i] as bigint)) as [bigint, bigint]
  return sell === 0 ? scaled : [scaled[1], scaled[0]]
}

/** Returns the part of x³y + y³x that `_k` rounds off. */
export function invariantLack({ units }: SolidlyCurve, reserves: readonly [bigint, bigint]): number {
  const [x, y] = scaledBalances({ units }, reserves, 0)
  const exact = x * y * (x * x + y * y)
  return Number(exact - scaledInvariant(x, y) * one ** 3n) / Number(exact)
}

/** x³y + y³x, in 18 decimals. */
function stableInvariant(units: SolidlyCurve['units'], reserves: readonly [bigint, bigint]): bigint {
  return scaledInvariant(...scaledBalances({ units }, reserves, 0))
}

/** `_f` */
function scaledInvariant(x: bigint, y: bigint): bigint {
  const product = times(x, y) / one
  const squares = plus(times(x, x) / one, times(y, y) / one)
  return times(product, squares) / one
}

/** `_d`: the derivative of the invariant by y. */
function derivative(x: bigint, y: bigint): bigint {
  return plus(times(3n * x, times(y, y) / one) / one, times(times(x, x) / one, x) / one)
}

/** `_get_y`: Newton's method from `y`, by the contract's steps. */
function balanceAfter(x: bigint, xy: bigint, start: bigint, units: SolidlyCurve['units']): bigint {
  let y = start
  for (let round = 0; round < maxRounds; round++) {
    const k = scaledInvariant(x, y)
    if (k < xy) {
      let step = divide(times(xy - k, one), derivative(x, y))
      if (step === 0n) {
        // The contract scales numbers that are scaled already; an overflow reverts the swap.
        if (stableInvariant(units, [x, y + 1n]) > xy) return y + 1n
        step = 1n
      }
      y = plus(y, step)
    } else {
      let step = divide(times(k - xy, one), derivative(x, y))
      if (step === 0n) {
        if (k === xy || scaledInvariant(x, minus(y, 1n)) < xy) return y
        step = 1n
      }
      y = minus(y, step)
    }
  }
  throw new RangeError('!y')
}

// Checked arithmetic of Solidity 0.8.

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

function divide(a: bigint, b: bigint): bigint {
  if (b === 0n) throw new RangeError('Division by zero.')
  return a / b
}
