/**
 * What a pool pays in one direction, in doubles. Every pool here is a chain of stretches with a constant product of virtual
 * reserves (v3 whitepaper, 2.1): a v2 pool is one that never ends, a v3 pool has one per range of liquidity.
 */
export type Curve = {
  /** What the fee leaves of the input. */
  keep: number
  stretches: number
  /** Per stretch: input (fee included) and output before it begins, and the virtual reserves there. */
  soldBefore: Float64Array
  boughtBefore: Float64Array
  reserveIn: Float64Array
  reserveOut: Float64Array
  /** The most input it can use. */
  capacity: number
}

export type Stretch = {
  reserveIn: number
  reserveOut: number
  /** Input less fee that fits in; Infinity when it never ends. */
  room: number
}

export function createCurve(keep: number, stretches: readonly Stretch[]): Curve {
  const count = stretches.length
  const curve: Curve = {
    keep,
    stretches: count,
    soldBefore: new Float64Array(count),
    boughtBefore: new Float64Array(count),
    reserveIn: Float64Array.from(stretches, (stretch) => stretch.reserveIn),
    reserveOut: Float64Array.from(stretches, (stretch) => stretch.reserveOut),
    capacity: 0,
  }
  let sold = 0
  let bought = 0
  stretches.forEach(({ reserveIn, reserveOut, room }, i) => {
    curve.soldBefore[i] = sold
    curve.boughtBefore[i] = bought
    sold += room / keep
    bought += reserveOut * share(room, reserveIn)
  })
  curve.capacity = sold
  return curve
}

/** What `sold` buys; beyond the capacity, no more than all of it. */
export function boughtFor(curve: Curve, sold: number): number {
  const used = Math.min(sold, curve.capacity)
  if (!(used > 0)) return 0
  const i = stretchAt(curve, used)
  const input = (used - at(curve.soldBefore, i)) * curve.keep
  return at(curve.boughtBefore, i) + at(curve.reserveOut, i) * share(input, at(curve.reserveIn, i))
}

/** What the next bit of input buys after `sold`, per unit: the derivative of `boughtFor`. */
export function slopeAt(curve: Curve, sold: number): number {
  if (sold >= curve.capacity) return 0
  const i = stretchAt(curve, sold)
  const reserveIn = at(curve.reserveIn, i)
  const after = reserveIn + (sold - at(curve.soldBefore, i)) * curve.keep
  return curve.keep * (at(curve.reserveOut, i) / after) * (reserveIn / after)
}

/** The stretch that `sold` reaches; in a v3 pool, how many initialised ticks it crosses on the way. */
export function stretchAt(curve: Curve, sold: number): number {
  let low = 0
  let high = curve.stretches - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (at(curve.soldBefore, middle) <= sold) low = middle
    else high = middle - 1
  }
  return low
}

function share(input: number, reserveIn: number): number {
  return input === Number.POSITIVE_INFINITY ? 1 : input / (reserveIn + input)
}

function at(values: Float64Array, i: number): number {
  return values[i] as number
}
