import { pow } from './logExp.ts'

/**
 * Balancer's numbers with 18 decimals, rounding as its contracts do (balancer-v2-monorepo: FixedPoint.sol). What pools multiply
 * here are balances of at most 172 bits and fractions near one, so nothing overflows 256 bits.
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

/** 1 - x, or 0 above 1. */
export function complement(x: bigint): bigint {
  return x < one ? one - x : 0n
}

/** x^y, never below the true value: what `pow` may be wrong by is added. */
export function powUp(x: bigint, y: bigint): bigint {
  const raw = pow(x, y)
  return raw + mulUp(raw, powError) + 1n
}

/** The same of later contracts: they multiply the powers of pools 50/50, 67/33 and 80/20 out, without an error to add. */
export function laterPowUp(x: bigint, y: bigint): bigint {
  if (y === one) return x
  if (y === 2n * one) return mulUp(x, x)
  if (y === 4n * one) return mulUp(mulUp(x, x), mulUp(x, x))
  return powUp(x, y)
}

/** FixedPoint.MAX_POW_RELATIVE_ERROR: 1e-14. */
const powError = 10_000n

/** Rounded up, of whole numbers (Math.divUp). */
export function divideUp(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b
}
