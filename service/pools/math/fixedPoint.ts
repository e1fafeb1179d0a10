import { pow } from './logExp.ts'

/**
 * Numbers with 18 decimals, rounded like balancer-v2-monorepo: FixedPoint.sol. Balances of 172 bits times
 * fractions near one never overflow 256 bits.
 */

export const one = 10n ** 18n

export function mulDown(a: bigint, b: bigint): bigint {
  return (a * b) / one
}

export function mulUp(a: bigint, b: bigint): bigint {
  return divideUp(a * b, one)
}

export function divDown(a: bigint, b: bigint): bigint {
  return (a * one) / b
}

export function divUp(a: bigint, b: bigint): bigint {
  return divideUp(a * one, b)
}

/** Returns 1 - x, or 0 above 1. */
export function complement(x: bigint): bigint {
  return x < one ? one - x : 0n
}

/** Returns x^y, never less than the true value. */
export function powUp(x: bigint, y: bigint): bigint {
  const raw = pow(x, y)
  return raw + mulUp(raw, powError) + 1n
}

/** Like `powUp`, but exact for the powers 1, 2 and 4, as in later contracts. */
export function laterPowUp(x: bigint, y: bigint): bigint {
  if (y === one) return x
  if (y === 2n * one) return mulUp(x, x)
  if (y === 4n * one) return mulUp(mulUp(x, x), mulUp(x, x))
  return powUp(x, y)
}

/** FixedPoint.MAX_POW_RELATIVE_ERROR: 1e-14. */
const powError = 10_000n

/** Math.divUp: divides integers, rounding up. */
export function divideUp(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b
}
