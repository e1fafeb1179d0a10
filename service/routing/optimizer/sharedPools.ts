import type { Pool } from '../../pools/pool.ts'
import type { Curve } from '../../pools/priceCurve.ts'
import type { RoutingEdge } from '../candidates.ts'
import { type DualSolution, solveDual } from './dual.ts'

/** Rounds until the amounts change by less than `settled` of themselves, and at most. */
const maxRounds = 8
const settled = 1e-3
const [minPace, maxPace] = [0.5, 4]
/** Of a capacity; small beside the pool's balance, large beside rounding. */
const step = 1e-6

/**
 * True if one pool can trade these arcs in one transaction: no token is both sold and bought, so that each
 * trade only worsens the others' prices.
 */
export function canShare(arcs: readonly RoutingEdge[]): boolean {
  return arcs.every(({ pool, from }) => pool.after !== undefined && arcs.every(({ to }) => to !== from))
}

/**
 * Solves with pools that trade several pairs, one swap after another. Each such arc gets the curve of its
 * pool after the earlier swaps, less what each unit takes from the later ones; repeated until the amounts
 * agree, these are the optimum's conditions. `returns` is that of the sequence.
 */
export function solveShared(
  arcs: readonly RoutingEdge[],
  tokenCount: number,
  amount: number,
  first: DualSolution,
  tolerance: number,
): { clearing: DualSolution; returns: number } {
  const groups = groupShared(arcs, first.sold)
  if (groups.length === 0) return { clearing: first, returns: first.value }
  const shared = groups.flat()
  const sold = Float64Array.from(first.sold)
  const [before, changes] = [new Float64Array(arcs.length), new Float64Array(arcs.length)]
  let clearing = first
  let sequence: Sequence = { arcs, lost: new Float64Array(arcs.length) }
  for (let round = 0; round < maxRounds; round++) {
    sequence = putInSequence(arcs, groups, sold, clearing.prices)
    clearing = solveDual(sequence.arcs, tokenCount, amount, clearing.prices, tolerance)
    if (shared.every((i) => isClose(at(clearing.sold, i), at(sold, i)))) break
    for (const i of shared) {
      const change = at(clearing.sold, i) - at(sold, i)
      // Secant method: alternating amounts converge to their mean, those that creep in larger steps.
      const pace = (at(sold, i) - at(before, i)) / (at(changes, i) - change)
      const factor = round > 0 && pace > 0 ? Math.min(Math.max(pace, minPace), maxPace) : 1
      before[i] = at(sold, i)
      sold[i] = Math.max(0, at(sold, i) + factor * change)
      changes[i] = change
    }
  }
  const { lost } = sequence
  const { prices } = clearing
  // Without an arc, the later swaps of its pool keep what each unit of it takes from them.
  const losses = () =>
    clearing.losses().map((loss, i) => {
      return loss - at(prices, (arcs[i] as RoutingEdge).to) * at(lost, i) * at(clearing.sold, i)
    })
  const returns = clearing.value + gainInSequence(arcs, sequence.arcs, groups, clearing)
  return { clearing: { ...clearing, losses }, returns }
}

/** `lost`: what each unit takes from the later swaps, in the token that the swap buys. */
type Sequence = { arcs: readonly RoutingEdge[]; lost: Float64Array }

function isClose(one: number, other: number): boolean {
  return Math.abs(one - other) <= settled * Math.max(one, other)
}

/** Indexes of selling arcs that share a pool, in the order of their execution. */
function groupShared(arcs: readonly RoutingEdge[], sold: Float64Array): number[][] {
  const byPool = new Map<Pool, number[]>()
  arcs.forEach(({ pool }, i) => {
    if (pool.after !== undefined && sold[i] !== 0) byPool.set(pool, [...(byPool.get(pool) ?? []), i])
  })
  const fromFirst = (i: number) => Number((arcs[i] as RoutingEdge).from === 0)
  return [...byPool.values()]
    .filter((group) => group.length > 1 && canShare(group.map((i) => arcs[i] as RoutingEdge)))
    .map((group) => group.sort((a, b) => fromFirst(b) - fromFirst(a) || at(sold, a) - at(sold, b)))
}

/** Gives the arcs of each group their curves in a sequence of swaps. */
function putInSequence(
  arcs: readonly RoutingEdge[],
  groups: readonly (readonly number[])[],
  sold: Float64Array,
  prices: Float64Array,
): Sequence {
  const sequence = [...arcs]
  const losses = new Float64Array(arcs.length)
  for (const group of groups) {
    const swaps = group.map((i) => ({ arc: arcs[i] as RoutingEdge, sold: at(sold, i) }))
    const states = statesOf(swaps)
    group.forEach((i, place) => {
      const { arc, sold } = swaps[place] as Swap
      const curve = (states[place] as Pool).curve(arc.sell, arc.buy)
      const lost = lossPerUnit(swaps, states, place, prices)
      sequence[i] = { ...arc, curve: tilt(curve, sold, lost), start: curve.slope(0) - lost }
      losses[i] = lost
    })
  }
  return { arcs: sequence, lost: losses }
}

/** Returns what one more unit takes from the later swaps, in the token that the swap buys. */
function lossPerUnit(
  swaps: readonly Swap[],
  states: readonly Pool[],
  place: number,
  prices: Float64Array,
): number {
  const { arc, sold } = swaps[place] as Swap
  const more = Math.max(arc.curve.capacity * step, 1)
  const later = swaps.slice(place + 1)
  if (later.length === 0) return 0
  const changed = statesOf([{ arc, sold: sold + more }, ...later], states[place])
  const lost = later.reduce((sum, { arc: other, sold: own }, i) => {
    const bought = (pool: Pool | undefined) => pool?.curve(other.sell, other.buy).bought(own) ?? 0
    return sum + at(prices, other.to) * (bought(states[place + 1 + i]) - bought(changed[1 + i]))
  }, 0)
  return Math.max(0, lost / more / at(prices, arc.to))
}

/** Each unit above `sold` buys `lost` less, each below buys more. */
function tilt(curve: Curve, sold: number, lost: number): Curve {
  if (lost === 0) return curve
  return {
    ...curve,
    bought: (input) => curve.bought(input) - lost * (Math.min(input, curve.capacity) - sold),
    slope: (input) => Math.max(0, curve.slope(input) - lost),
    soldAt: (slope) => curve.soldAt(slope + lost),
  }
}

/** The pool before each swap. */
function statesOf(swaps: readonly Swap[], first = swaps[0]?.arc.pool): Pool[] {
  const states: Pool[] = []
  let pool = first as Pool
  for (const { arc, sold } of swaps) {
    states.push(pool)
    if (states.length === swaps.length) break
    if (pool.after && sold >= 1) pool = pool.after(arc.sell, arc.buy, BigInt(Math.round(sold)))
  }
  return states
}

function gainInSequence(
  arcs: readonly RoutingEdge[],
  assumed: readonly RoutingEdge[],
  groups: readonly (readonly number[])[],
  { sold, prices }: DualSolution,
): number {
  let gain = 0
  for (const group of groups) {
    const swaps = group.map((i) => ({ arc: arcs[i] as RoutingEdge, sold: at(sold, i) }))
    const states = statesOf(swaps)
    group.forEach((i, place) => {
      const { sell, buy, to } = arcs[i] as RoutingEdge
      const bought = (states[place] as Pool).curve(sell, buy).bought(at(sold, i))
      gain += at(prices, to) * (bought - (assumed[i] as RoutingEdge).curve.bought(at(sold, i)))
    })
  }
  return gain
}

type Swap = { arc: RoutingEdge; sold: number }

function at(values: Float64Array, i: number): number {
  return values[i] as number
}
