import type { Curve } from './priceCurve.ts'

export type StableCurve = {
  /** A·n^(n-1) in thousandths; balances and invariant have 18 decimals. */
  amplification: bigint
  balances: readonly bigint[]
  invariant: bigint
  sell: number
  buy: number
  keep: number
  /** 10^(18 - decimals). */
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
  const amplified = amplification * BigInt(balances.length)
  const others = balances.reduce((sum, balance, i) => (i === buy ? sum : sum + balance), 0n)
  const x = Number(balances[sell])
  const y = Number(balances[buy])
  // In integers: a small difference of large numbers.
  const q = Number(others + (invariant * 1_000n) / amplified - invariant)
  const part = Number(invariant) / balances.length
  const c = balances.reduce(
    (product, balance, i) => (i === buy ? product : product * (i === sell ? part : part / Number(balance))),
    Number(invariant) * ((part * 1_000) / Number(amplified)),
  )
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
    const middle = 2 * y + q + t
    const last = t * (y + c / (x * (x + t)))
    return (2 * last) / (middle + Math.sqrt(middle * middle - 4 * last))
  }

  /** -dz/dt and its derivative. */
  function slopeAfter(t: number): { slope: number; bend: number } {
    const inside = q + t
    const end = c / (x + t)
    const root = Math.sqrt(inside * inside + 4 * end)
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

function at(values: Float64Array, i: number): number {
  return values[i] as number
}
