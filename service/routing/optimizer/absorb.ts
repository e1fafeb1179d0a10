import type { RoutingEdge } from '../candidates.ts'
import type { Weight } from '../executeExact.ts'

/** The first kind solves a split per round. */
const partRounds = 10
const keptRounds = 20
const maxAbsorbers = 8

/**
 * Returns shares of an amount too large for the best pools: they fill the largest part, an arc of sufficient
 * capacity the rest. `spreadOf` splits a part (0 to 1) of the amount; `isFilled` executes shares exactly.
 */
export function absorb(
  arcs: readonly RoutingEdge[],
  amount: number,
  spreadOf: (part: number) => readonly Weight[] | undefined,
  isFilled: (shares: readonly Weight[], part: number) => boolean,
): Weight[][] {
  let filled: readonly Weight[] | undefined
  const part = largest(partRounds, (part) => {
    const shares = spreadOf(part)
    if (shares === undefined || !isFilled(shares, part)) return false
    filled = shares
    return true
  })
  if (filled === undefined) return []
  const shares = filled
  const rest = amount * (1 - part)
  const last = arcs.reduce((most, { to }) => Math.max(most, to), 0)
  const leadsOn = (token: number) => token === last || shares.some(({ arc }) => arc.from === token)
  const absorbers = arcs
    .filter((arc) => arc.from === 0 && arc.curve.capacity > rest && leadsOn(arc.to))
    .sort((a, b) => b.curve.bought(rest) - a.curve.bought(rest))
    .slice(0, maxAbsorbers)
  const found: Weight[][] = []
  for (const absorber of absorbers) {
    const replaced = [
      ({ arc }: Weight) => arc.from === 0 && arc.to === absorber.to && arc !== absorber,
      ({ arc }: Weight) => arc.from === 0 && arc !== absorber,
    ]
    for (const isReplaced of replaced) {
      let best: Weight[] | undefined
      largest(keptRounds, (kept) => {
        const shifted = shift(shares, isReplaced, kept, absorber, amount)
        const isWhole = isFilled(shifted, 1)
        if (isWhole) best = shifted
        return isWhole
      })
      if (best) found.push(best)
    }
  }
  return found
}

/**
 * Returns shares of an amount too large for the best pools: other pools fill the largest part, a path of
 * sufficient capacity takes the rest. `spreadOf` splits a part of the amount over pools outside the path.
 */
export function absorbAlong(
  path: readonly RoutingEdge[],
  amount: number,
  spreadOf: (part: number) => readonly Weight[] | undefined,
  isFilled: (shares: readonly Weight[], part: number) => boolean,
): readonly Weight[] | undefined {
  let best: readonly Weight[] | undefined
  largest(partRounds, (part) => {
    const shares = part === 1 ? undefined : spreadOf(part)
    const whole = shares && [...shares, ...sellAlong(path, amount * (1 - part))]
    if (whole === undefined || !isFilled(whole, 1)) return false
    best = whole
    return true
  })
  return best
}

function sellAlong(path: readonly RoutingEdge[], amount: number): Weight[] {
  let held = amount
  return path.map((arc) => {
    const sold = held
    held = arc.curve.bought(sold)
    return { arc, sold }
  })
}

function shift(
  shares: readonly Weight[],
  isReplaced: (share: Weight) => boolean,
  kept: number,
  absorber: RoutingEdge,
  amount: number,
): Weight[] {
  const others = shares.filter(({ arc }) => arc !== absorber)
  const shifted = others.map((share) => (isReplaced(share) ? { ...share, sold: share.sold * kept } : share))
  const sold = shifted.reduce((sum, share) => (share.arc.from === 0 ? sum + share.sold : sum), 0)
  return [...shifted.filter(({ sold }) => sold > 0), { arc: absorber, sold: amount - sold }]
}

function largest(rounds: number, holds: (number: number) => boolean): number {
  if (holds(1)) return 1
  let [low, high] = [0, 1]
  for (let round = 0; round < rounds; round++) {
    const middle = low === 0 ? high / 4 : (low + high) / 2
    if (holds(middle)) low = middle
    else high = middle
  }
  return low
}
