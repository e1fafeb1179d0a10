import { exactInvariant, fraction } from './math/exactInvariant.ts'
import type { Curve } from './priceCurve.ts'

export type StableCurve = {
  /** A·n^(n-1) in thousandths; balances and invariant have 18 decimals. */
  amplification: bigint
  balances: readonly bigint[]
  invariant: bigint
  sell: number
  buy: number
  keep: number
  /** 10^(18 - decimals), times the rate of the token. */
  scaleIn: number
  scaleOut: number
}

/** Maximum input relative to both balances. */
const maxTimes = 100

const samples = 16

/**
 * Returns the curve of a stable pool. With balances x (sold) and y (bought), an input t leaves z of y where
 * z² + (q + t)·z = c/(x + t) (StableMath._calcOutGivenIn).
 */
export function stableCurve(pool: StableCurve): Curve {
  const { amplification, balances, invariant, sell, buy, keep, scaleIn, scaleOut } = pool
  const x = Number(balances[sell])
  const y = Number(balances[buy])
  // At the contract's invariant, rounded, balances of few units would not be on the curve.
  const exact = exactInvariant(amplification, balances, invariant)
  const sum = balances.reduce((total, balance) => total + balance, 0n)
  // y + q in integers: a small difference of large numbers.
  const amplified = amplification * BigInt(balances.length)
  const spread = (sum << fraction) - exact + (exact * 1_000n) / amplified
  const q = toNumber(spread - ((balances[buy] as bigint) << fraction))
  const c = x * y * toNumber(spread)
  const scale = keep * scaleIn
  const reach = maxTimes * (x + y)

  const inputs = new Float64Array(samples)
  const slopes = new Float64Array(samples)
  const first = Math.min(x, y) / 1_000
  const growth = (reach / first) ** (1 / (samples - 2))
  for (let i = 0, t = 0; i < samples; i++, t = i === 1 ? first : t * growth) {
    inputs[i] = t
    slopes[i] = slopeAfter(t).slope
  }
  const unit = scale / scaleOut
  const start = at(slopes, 0) * unit
  const capacity = reach / scale

  return {
    capacity,
    most: y / scaleOut,
    rounding: Math.min(roundingOf(pool, toNumber(exact - (invariant << fraction))), y) / scaleOut,
    bought(sold) {
      const t = Math.min(sold, capacity) * scale
      return t > 0 ? boughtFor(t) / scaleOut : 0
    },
    slope: (sold) => (sold < capacity ? slopeAfter(sold * scale).slope * unit : 0),
    soldAt: (slope) => (slope < start ? Math.min(inputOf(slope / unit) / scale, capacity) : 0),
    steps: () => 0,
  }

  /** u = y - z solves u² - (2y + q + t)·u + t·(y + c/(x·(x + t))) = 0, precisely also for small t. */
  function boughtFor(t: number): number {
    const last = t * (y + c / (x * (x + t)))
    return (2 * last) / (2 * y + q + t + rootAfter(t))
  }

  /** 2z + q + t, without a difference of large numbers. */
  function rootAfter(t: number): number {
    const inside = q + t
    return Math.sqrt(inside * inside + (4 * c) / (x + t))
  }

  /** -dz/dt and its derivative. */
  function slopeAfter(t: number): { slope: number; bend: number } {
    const inside = q + t
    const end = c / (x + t)
    const root = rootAfter(t)
    const z = inside > 0 ? (2 * end) / (inside + root) : (root - inside) / 2
    const drop = end / (x + t)
    const slope = (z + drop) / root
    return { slope, bend: (-2 * (slope * (1 - slope) + drop / (x + t))) / root }
  }

  /** Newton's method on 1/√slope, which is linear for a constant product. */
  function inputOf(wanted: number): number {
    let [from, to] = [0, samples - 1]
    if (wanted <= at(slopes, to)) return reach
    while (to - from > 1) {
      const middle = (from + to) >> 1
      if (at(slopes, middle) > wanted) from = middle
      else to = middle
    }
    let [low, high] = [at(inputs, from), at(inputs, to)]
    const [first, last] = [1 / Math.sqrt(at(slopes, from)), 1 / Math.sqrt(at(slopes, to))]
    let t = low + ((high - low) * (1 / Math.sqrt(wanted) - first)) / (last - first)
    for (let round = 0; round < 60; round++) {
      const { slope, bend } = slopeAfter(t)
      if (Math.abs(slope - wanted) <= 1e-14 * wanted) return t
      if (slope > wanted) low = t
      else high = t
      const next = t + (2 * slope * (1 - Math.sqrt(slope / wanted))) / bend
      t = next > low && next < high ? next : (low + high) / 2
    }
    return t
  }
}

/**
 * Returns by how many units with 18 decimals a contract may pay more than the curve, when its invariant D is
 * `lack` too low. By the equation above, z falls by at most (n + 1)·y/D + 1 per unit of D, and by at most
 * y·ε if c is too low by a part ε: the sum of what the steps of its product round off. The last step and
 * Curve's fee are rounded by less than a unit each.
 */
function roundingOf({ balances, invariant, buy }: StableCurve, lack: number): number {
  const [d, y, n] = [Number(invariant), Number(balances[buy]), balances.length]
  let product = d
  let part = 0
  balances.forEach((balance, i) => {
    if (i === buy) return
    product *= d / (Number(balance) * n)
    part += 1 / product
  })
  return Math.max(lack, 0) * (((n + 1) * y) / d + 1) + y * part + 2
}

function toNumber(fixed: bigint): number {
  return Number(fixed) / 2 ** Number(fraction)
}

function at(values: Float64Array, i: number): number {
  return values[i] as number
}
