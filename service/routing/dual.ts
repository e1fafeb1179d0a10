import type { RoutingEdge } from './candidates.ts'
import { factor, solve } from './ldl.ts'

/** Prices of tokens in units of the bought one, and what every arc sells at them. */
export type DualSolution = {
  prices: Float64Array
  sold: Float64Array
  /** What an arc earns: it buys more, at these prices, than it sells. */
  profits: Float64Array
  /** The dual value: at any prices at least what any spread of the amount over the arcs could return. */
  value: number
  /** The part of `value` by which the flows into tokens and out of them differ. */
  imbalance: number
  /** About what the returns would lose without each arc, the others taking over what it sold. Infinity when they could not. */
  losses(): Float64Array
}

const mostRounds = 50
/** A step is taken when at its end the way goes up at most so steeply, as a part of how steeply it began to go down. */
const steepest = 0.5
const mostTries = 12
const longest = 27
/** How far the price moves to see how much more an arc then sells. */
const nudge = 1e-5

/**
 * Finds the prices at which the arcs together take `amount` of the first token and nothing stays on the way to the last one.
 *
 * When each arc sells until its own price is the market's, what it earns is closed form, and g(prices) = price of the sold token ·
 * amount + all earnings is a convex function whose least value is the most that the arcs can return (Angeris et al. 2022, arXiv
 * 2204.05238; Diamandis et al. 2023, arXiv 2302.04938). Its derivative by a token's logarithmic price is what flows into the token
 * less what flows out, and its second derivative is an electrical network: tokens are nodes, logarithmic prices their potentials,
 * and an arc conducts what it sells more when its price falls a little. So a step of Newton's method is the potentials that drive
 * off the surplus currents. Curves bend at ticks and where trading begins, so a step is only taken as far as it leads down.
 */
export function solveDual(
  arcs: readonly RoutingEdge[],
  tokenCount: number,
  amount: number,
  start: ArrayLike<number>,
  tolerance: number,
): DualSolution {
  const size = tokenCount - 1
  const prices = Float64Array.from(start)
  const origin = new Float64Array(tokenCount)
  const sold = new Float64Array(arcs.length)
  const profits = new Float64Array(arcs.length)
  const conductances = new Float64Array(arcs.length)
  /** Per token but the last, the worth of what flows in less what flows out. */
  const surplus = new Float64Array(tokenCount)
  const step = new Float64Array(size)
  const matrix = new Float64Array(size * size)

  let value = evaluate()
  let imbalance = measureImbalance()
  for (let round = 0; round < mostRounds && imbalance > tolerance; round++) {
    conduct()
    step.set(surplus.subarray(0, size))
    solve(matrix, step, size)
    descend()
    imbalance = measureImbalance()
  }
  return { prices, sold, profits, value, imbalance, losses }

  /** Lets every arc trade at the prices. */
  function evaluate(): number {
    surplus.fill(0)
    let total = at(prices, 0) * amount
    surplus[0] = total
    for (let i = 0; i < arcs.length; i++) {
      const { from, to, curve, start } = arcs[i] as RoutingEdge
      const paid = at(prices, from)
      const got = at(prices, to)
      sold[i] = profits[i] = 0
      // A token without a price leads nowhere.
      if (!(paid > 0 && paid < start * got)) continue
      const input = curve.soldAt(paid / got)
      const worth = got * curve.bought(input)
      const cost = paid * input
      sold[i] = input
      profits[i] = worth - cost
      surplus[from] = at(surplus, from) - cost
      surplus[to] = at(surplus, to) + worth
      total += worth - cost
    }
    return total
  }

  function measureImbalance(): number {
    let sum = 0
    for (let token = 0; token < size; token++) sum += Math.abs(at(surplus, token))
    return sum / value
  }

  /** The network at the prices, factored. The surplus on the diagonal holds steps to about a factor e; at the end it is nothing. */
  function conduct(): void {
    matrix.fill(0)
    for (let token = 0; token < size; token++) {
      matrix[token * size + token] = Math.abs(at(surplus, token)) + 1e-12 * value
    }
    for (let i = 0; i < arcs.length; i++) {
      conductances[i] = 0
      if (sold[i] === 0) continue
      const { from, to, curve } = arcs[i] as RoutingEdge
      const paid = at(prices, from)
      const more = curve.soldAt((paid / at(prices, to)) * (1 - nudge))
      const conductance = (paid * (more - at(sold, i))) / nudge
      conductances[i] = conductance
      add(from, from, conductance)
      if (to === size) continue
      add(to, to, conductance)
      add(Math.max(from, to), Math.min(from, to), -conductance)
    }
    factor(matrix, size)
  }

  function add(row: number, column: number, conductance: number): void {
    const i = row * size + column
    matrix[i] = at(matrix, i) + conductance
  }

  /** Moves the prices along `step`, to where the way begins to go up. */
  function descend(): void {
    origin.set(prices)
    const first = slope()
    let low = { length: 0, slope: first }
    let high: typeof low | undefined
    let length = 1
    for (let tries = 0; tries < mostTries; tries++) {
      for (let token = 0; token < size; token++) {
        prices[token] = at(origin, token) * Math.exp(-length * at(step, token))
      }
      value = evaluate()
      const here = { length, slope: slope() }
      if (Math.abs(here.slope) <= -first * steepest) return
      if (here.slope > 0) high = here
      else low = here
      if (!high && length === longest) return
      length = high ? between(low, high) : 3 * length
    }
  }

  /** How steeply the value falls (or rises, above 0) when the prices go on along `step`. */
  function slope(): number {
    let sum = 0
    for (let token = 0; token < size; token++) sum -= at(surplus, token) * at(step, token)
    return sum
  }

  /**
   * Without an arc, what it sold must cross between its tokens through all the others: they have the network's conductance between
   * the two, less the arc's own.
   */
  function losses(): Float64Array {
    conduct()
    const unit = new Float64Array(size)
    return Float64Array.from(arcs, ({ from, to }, i) => {
      unit.fill(0)
      unit[from] = 1
      if (to < size) unit[to] = -1
      solve(matrix, unit, size)
      const resistance = at(unit, from) - (to < size ? at(unit, to) : 0)
      const others = 1 / resistance - at(conductances, i)
      const crossing = at(prices, from) * at(sold, i)
      return others > 1e-9 / resistance
        ? at(profits, i) + crossing ** 2 / (2 * others)
        : Number.POSITIVE_INFINITY
    })
  }
}

/** What an arc alone would earn at these prices. */
export function edgeProfit({ curve, from, to, start }: RoutingEdge, prices: ArrayLike<number>): number {
  const paid = prices[from] as number
  const got = prices[to] as number
  if (!(paid > 0 && paid < start * got)) return 0
  const sold = curve.soldAt(paid / got)
  return got * curve.bought(sold) - paid * sold
}

type Place = { length: number; slope: number }

/** Where a straight line between the slopes is level; not too close to either place. */
function between(low: Place, high: Place): number {
  const part = low.slope / (low.slope - high.slope)
  return low.length + Math.min(Math.max(part, 0.1), 0.9) * (high.length - low.length)
}

function at(values: Float64Array, i: number): number {
  return values[i] as number
}
