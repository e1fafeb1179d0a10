import type { Curve } from './priceCurve.ts'

/** A range of constant product of virtual reserves (v3 whitepaper, 2.1). */
export type LiquidityRange = {
  reserveIn: number
  reserveOut: number
  /** Maximum input after fee; may be Infinity. */
  room: number
}

/**
 * Returns the curve of consecutive ranges: one for v2, one per liquidity range for v3. `keep` is the input
 * part after fee.
 */
export function createLiquidityRanges(keep: number, stretches: readonly LiquidityRange[], spare = 0): Curve {
  const count = stretches.length
  // One array for all: a thread keeps thousands of curves, most of them of one range.
  const ranges = new Float64Array(count * fields)
  let sold = 0
  let bought = 0
  for (let i = 0; i < count; i++) {
    const { reserveIn, reserveOut, room } = stretches[i] as LiquidityRange
    const row = i * fields
    ranges[row + ofReserveIn] = reserveIn
    ranges[row + ofReserveOut] = reserveOut
    ranges[row + ofSoldBefore] = sold
    ranges[row + ofBoughtBefore] = bought
    ranges[row + ofSlopeBefore] = (keep * reserveOut) / reserveIn
    sold += room / keep
    bought += reserveOut * share(room, reserveIn)
  }
  const capacity = sold * (1 - spare)

  const at = (i: number, field: number) => ranges[i * fields + field] as number

  function reached(sold: number): number {
    let low = 0
    let high = count - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (at(middle, ofSoldBefore) <= sold) low = middle
      else high = middle - 1
    }
    return low
  }

  return {
    capacity,
    most: bought,

    bought(sold) {
      const used = Math.min(sold, capacity)
      if (!(used > 0)) return 0
      const i = reached(used)
      const input = (used - at(i, ofSoldBefore)) * keep
      return at(i, ofBoughtBefore) + at(i, ofReserveOut) * share(input, at(i, ofReserveIn))
    },

    slope(sold) {
      if (sold >= capacity) return 0
      const i = reached(sold)
      const start = at(i, ofReserveIn)
      const after = start + (sold - at(i, ofSoldBefore)) * keep
      return keep * (at(i, ofReserveOut) / after) * (start / after)
    },

    soldAt(slope) {
      if (count === 0 || slope >= at(0, ofSlopeBefore)) return 0
      let low = 0
      let high = count - 1
      while (low < high) {
        const middle = (low + high + 1) >> 1
        if (at(middle, ofSlopeBefore) > slope) low = middle
        else high = middle - 1
      }
      const start = at(low, ofReserveIn)
      const input = Math.sqrt(start * (keep / slope) * at(low, ofReserveOut)) - start
      const end = low + 1 < count ? at(low + 1, ofSoldBefore) : capacity
      return Math.min(at(low, ofSoldBefore) + input / keep, end, capacity)
    },

    steps: (sold) => (count === 0 ? 0 : reached(sold)),
  }
}

/** Of a range: virtual reserves; input with fee, output and price at its start. */
const [ofReserveIn, ofReserveOut, ofSoldBefore, ofBoughtBefore, ofSlopeBefore, fields] = [
  0, 1, 2, 3, 4, 5,
] as const

function share(input: number, reserveIn: number): number {
  return input === Number.POSITIVE_INFINITY ? 1 : input / (reserveIn + input)
}
