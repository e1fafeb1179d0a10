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
  const reserveIn = Float64Array.from(stretches, (stretch) => stretch.reserveIn)
  const reserveOut = Float64Array.from(stretches, (stretch) => stretch.reserveOut)
  /** At the start of each range; input with fee. */
  const soldBefore = new Float64Array(count)
  const boughtBefore = new Float64Array(count)
  const slopeBefore = new Float64Array(count)
  let sold = 0
  let bought = 0
  stretches.forEach(({ reserveIn, reserveOut, room }, i) => {
    soldBefore[i] = sold
    boughtBefore[i] = bought
    slopeBefore[i] = (keep * reserveOut) / reserveIn
    sold += room / keep
    bought += reserveOut * share(room, reserveIn)
  })
  const capacity = sold * (1 - spare)

  function reached(sold: number): number {
    let low = 0
    let high = count - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (at(soldBefore, middle) <= sold) low = middle
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
      const input = (used - at(soldBefore, i)) * keep
      return at(boughtBefore, i) + at(reserveOut, i) * share(input, at(reserveIn, i))
    },

    slope(sold) {
      if (sold >= capacity) return 0
      const i = reached(sold)
      const start = at(reserveIn, i)
      const after = start + (sold - at(soldBefore, i)) * keep
      return keep * (at(reserveOut, i) / after) * (start / after)
    },

    soldAt(slope) {
      if (count === 0 || slope >= at(slopeBefore, 0)) return 0
      let low = 0
      let high = count - 1
      while (low < high) {
        const middle = (low + high + 1) >> 1
        if (at(slopeBefore, middle) > slope) low = middle
        else high = middle - 1
      }
      const start = at(reserveIn, low)
      const input = Math.sqrt(start * (keep / slope) * at(reserveOut, low)) - start
      const end = low + 1 < count ? at(soldBefore, low + 1) : capacity
      return Math.min(at(soldBefore, low) + input / keep, end, capacity)
    },

    steps: (sold) => (count === 0 ? 0 : reached(sold)),
  }
}

function share(input: number, reserveIn: number): number {
  return input === Number.POSITIVE_INFINITY ? 1 : input / (reserveIn + input)
}

function at(values: Float64Array, i: number): number {
  return values[i] as number
}
