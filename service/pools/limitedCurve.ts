import type { Curve } from './priceCurve.ts'

const halvings = 50

/** Ends a curve at the largest input that `isAllowed`, found by bisection. */
export function limitedCurve(curve: Curve, isAllowed: (sold: number) => boolean): Curve {
  if (isAllowed(curve.capacity)) return curve
  let [capacity, beyond] = [0, curve.capacity]
  for (let i = 0; i < halvings; i++) {
    const middle = (capacity + beyond) / 2
    if (isAllowed(middle)) capacity = middle
    else beyond = middle
  }
  const start = curve.slope(0)
  return {
    ...curve,
    capacity,
    bought: (sold) => curve.bought(Math.min(sold, capacity)),
    slope: (sold) => (sold < capacity ? curve.slope(sold) : 0),
    soldAt: (slope) => (slope < start ? Math.min(curve.soldAt(slope), capacity) : 0),
  }
}
