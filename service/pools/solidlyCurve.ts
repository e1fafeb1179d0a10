import type { Curve } from './priceCurve.ts'

export type SolidlyStableCurve = {
  /** Balances of the sold and the bought token, with 18 decimals. */
  x: number
  y: number
  /** Part of the invariant x³y + y³x that the contract rounds off. */
  lack: number
  /** Part of the input after fee. */
  keep: number
  /** 10^(18 - decimals). */
  scaleIn: number
  scaleOut: number
}

/** Maximum input relative to both balances. */
const maxTimes = 100

/** Part of the contract's limit left out as margin for rounding. */
const spare = 1e-3

/** x·y·(x² + y²) and x³ above which the contract's products of two 256-bit numbers overflow. */
const maxProduct = 2 ** 256 * 1e36 * (1 - spare)
const maxBalance = Math.cbrt(2 ** 256 * 1e18 * (1 - spare))

/**
 * Returns the curve of x³y + y³x = k in closed form, undefined if the contract's arithmetic overflows. At
 * r = y/x its slope is (3r + r³)/(1 + 3r²), the tangent formula of hyperbolic functions for three times an
 * angle, so r = tanh(artanh(slope)/3); a balance follows from the other as the root of a depressed cubic.
 */
export function solidlyStableCurve(pool: SolidlyStableCurve): Curve | undefined {
  const { x, y, lack, keep, scaleIn, scaleOut } = pool
  const k = x * y * (x * x + y * y)
  if (!(x > 0 && y > 0 && k < maxProduct)) return undefined
  const limit = Math.min(otherBalance(y, maxProduct), maxBalance) - x
  const reach = Math.min(maxTimes * (x + y), limit)
  if (!(reach > 0)) return undefined
  const scale = keep * scaleIn
  const capacity = reach / scale
  const unit = scale / scaleOut
  const start = slopeAt(y / x) * unit

  return {
    capacity,
    most: y / scaleOut,
    // A balance falls by no greater part than the invariant, and the fee is rounded down.
    rounding: Math.min(y * lack + (keep < 1 ? slopeAt(y / x) * scaleIn : 0), y) / scaleOut,
    bought(sold) {
      const t = Math.min(sold, capacity) * scale
      return t > 0 ? boughtFor(t) / scaleOut : 0
    },
    slope(sold) {
      if (sold >= capacity) return 0
      const after = x + Math.max(sold, 0) * scale
      return slopeAt(otherBalance(after, k) / after) * unit
    },
    soldAt(slope) {
      if (!(slope < start)) return 0
      const ratio = ratioAt(slope / unit)
      const after = (k / (ratio + ratio ** 3)) ** 0.25
      return Math.min(Math.max((after - x) / scale, 0), capacity)
    },
    steps: () => 0,
  }

  /**
   * Newton's method on the output u, precise also where it is small: with X = x + t,
   * X·u³ - 3Xy·u² + (X³ + 3Xy²)·u = t·y·(3x² + 3xt + t² + y²).
   * It rises and is concave up to u = y.
   */
  function boughtFor(t: number): number {
    const after = x + t
    const total = t * y * (3 * x * x + 3 * x * t + t * t + y * y)
    let u = Math.max(y - otherBalance(after, k), total / (after ** 3 + 3 * after * y * y))
    for (let round = 0; round < 4; round++) {
      const left = y - u
      const value = after * u * (u * u - 3 * y * u + after * after + 3 * y * y)
      const next = u + (total - value) / (after * (after * after + 3 * left * left))
      if (next === u) break
      u = next
    }
    return Math.min(Math.max(u, 0), y)
  }
}

/**
 * Solves x³y + y³x = k for y, also the other way round:
 * y = 2x/√3 · sinh(arsinh(3√3·k / 2x⁴) / 3).
 */
function otherBalance(x: number, k: number): number {
  const third = Math.asinh((1.5 * Math.sqrt(3) * k) / (x * x) / (x * x)) / 3
  return ((2 * x) / Math.sqrt(3)) * Math.sinh(third)
}

/** -dy/dx at r = y/x. */
function slopeAt(ratio: number): number {
  const square = ratio * ratio
  return (ratio * (3 + square)) / (1 + 3 * square)
}

/** Inverse of `slopeAt`. */
function ratioAt(slope: number): number {
  if (slope <= 1) return Math.tanh(Math.atanh(slope) / 3)
  return 1 / Math.tanh(Math.atanh(1 / slope) / 3)
}
