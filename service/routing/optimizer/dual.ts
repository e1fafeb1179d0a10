import type { RoutingEdge } from '../candidates.ts'
import type { PoolEdge } from '../market.ts'
import { factor, solve } from './ldl.ts'
import { isLevel, levelPrices, resistedSale, resistedSlope } from './resistance.ts'

/** Token prices in units of the bought token, and the arcs' amounts at them. */
export type DualSolution = {
  prices: Float64Array
  sold: Float64Array
  profits: Float64Array
  /** Returns of the split if nothing is left over; no split returns more, but for the resistances. */
  value: number
  imbalance: number
  /** Approximate returns lost without each arc; Infinity if irreplaceable. */
  losses(): Float64Array
}

const maxRounds = 50
const maxLineRounds = 200
/** Final slope of the line search relative to the first. */
const steepest = 0.5
const maxTries = 12
/** A line goes from nothing to its capacity within a millionth of its price: 20 halvings, and some. */
const maxLineTries = 40
const longest = 27
const nudge = 1e-5
/** Change of a price by less is as steep as the steepest resistance. */
const shortest = 1e-8
/** Keeps tokens solvable that only unused lines connect. */
const leak = 1e-13

/**
 * Finds the prices at which the arcs take exactly `amount` and no intermediate token is left over.
 *
 * The dual g(prices) = price of the sold token · amount + all arcs' profits is convex; its minimum is the
 * maximum return (Angeris et al. 2022, arXiv 2204.05238; Diamandis et al. 2023, arXiv 2302.04938). Its
 * gradient by log prices is each token's surplus, its Hessian a resistor network. Each Newton step solves it;
 * curves have kinks, hence the line search.
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
  /** Inflow less outflow per token. */
  const surplus = new Float64Array(tokenCount)
  const step = new Float64Array(size)
  const matrix = new Float64Array(size * size)
  /** The amount in units of each token, at the initial prices: at moving ones the dual were not convex. */
  const scales = Float64Array.from(prices, (price) => (at(prices, 0) * amount) / price)
  const hasLines = arcs.some(({ curve }) => curve.isLinear)
  const [rounds, tries] = hasLines ? [maxLineRounds, maxLineTries] : [maxRounds, maxTries]
  /** 1 where the resistance of an arc limits it. */
  const isStiff = new Uint8Array(arcs.length)
  /** Before the last step. */
  const soldBefore = new Float64Array(arcs.length)
  const ratiosBefore = new Float64Array(arcs.length)

  let value = evaluate()
  let imbalance = measureImbalance()
  let isStuck = false
  for (let round = 0; round < rounds && imbalance > tolerance; round++) {
    findStep(isStuck)
    if (isStuck && !step.every(Number.isFinite)) findStep(false)
    remember()
    descend()
    const before = imbalance
    imbalance = measureImbalance()
    isStuck = imbalance > before * steepest
  }
  const level = hasLines || isStiff.includes(1) ? levelPrices(arcs, prices, sold, isStiff) : prices
  return { prices: level, sold, profits, value, imbalance, losses }

  function evaluate(): number {
    surplus.fill(0)
    let total = at(prices, 0) * amount
    surplus[0] = total
    for (let i = 0; i < arcs.length; i++) {
      const { from, to, curve, start } = arcs[i] as RoutingEdge
      const paid = at(prices, from)
      const got = at(prices, to)
      sold[i] = profits[i] = isStiff[i] = 0
      // A token without a price is unreachable.
      if (!(paid > 0 && paid < start * got)) continue
      let input = curve.soldAt(paid / got)
      const most = resistedSale(arcs[i] as RoutingEdge, hasLines, paid, got, at(scales, from))
      if (most < input) {
        input = most
        isStiff[i] = 1
      }
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

  function findStep(acrossKinks: boolean): void {
    conduct(acrossKinks)
    step.set(surplus.subarray(0, size))
    solve(matrix, step, size)
  }

  function remember(): void {
    soldBefore.set(sold)
    for (let i = 0; i < arcs.length; i++) {
      const { from, to } = arcs[i] as RoutingEdge
      ratiosBefore[i] = at(prices, from) / at(prices, to)
    }
  }

  /** Over the last step: beyond a kink that slopes beside it do not show. */
  function secant(i: number, paid: number, got: number): number {
    const fall = Math.log(paid / got / at(ratiosBefore, i))
    if (!(Math.abs(fall) > shortest)) return 0
    const conductance = (paid * (at(soldBefore, i) - at(sold, i))) / fall
    // Steeper ones make the matrix singular in doubles.
    return Number.isFinite(conductance) ? Math.min(conductance, value / shortest) : 0
  }

  /** The surplus on the diagonal limits steps to about a factor of e. */
  function conduct(acrossKinks = false): void {
    matrix.fill(0)
    for (let token = 0; token < size; token++) {
      matrix[token * size + token] = Math.abs(at(surplus, token)) + 1e-12 * value
    }
    for (let i = 0; i < arcs.length; i++) {
      conductances[i] = 0
      const isOn = isStiff[i] === 1 || (hasLines && isLevel(arcs[i] as RoutingEdge, prices))
      const isUsed = sold[i] !== 0 || isOn || (acrossKinks && soldBefore[i] !== 0)
      if (!isUsed) continue
      const { from, to, curve } = arcs[i] as RoutingEdge
      const paid = at(prices, from)
      const beside = isOn
        ? paid * resistedSlope(curve, at(scales, from))
        : (paid * (curve.soldAt((paid / at(prices, to)) * (1 - nudge)) - at(sold, i))) / nudge
      const across = acrossKinks ? secant(i, paid, at(prices, to)) : 0
      const conductance = Math.max(beside, across)
      conductances[i] = conductance
      const leaking = isOn || across > beside ? conductance * (1 + leak) : conductance
      add(from, from, leaking)
      if (to === size) continue
      add(to, to, leaking)
      add(Math.max(from, to), Math.min(from, to), -conductance)
    }
    factor(matrix, size)
  }

  function add(row: number, column: number, conductance: number): void {
    const i = row * size + column
    matrix[i] = at(matrix, i) + conductance
  }

  function descend(): void {
    origin.set(prices)
    const first = slope()
    let low = { length: 0, slope: first }
    let high: typeof low | undefined
    let length = 1
    for (let count = 0; count < tries; count++) {
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

  function slope(): number {
    let sum = 0
    for (let token = 0; token < size; token++) sum -= at(surplus, token) * at(step, token)
    return sum
  }

  /** Without an arc, its flow crosses the rest of the network. */
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

/** Returns an arc's profit at these prices. */
export function edgeProfit({ curve, from, to, start }: RoutingEdge, prices: ArrayLike<number>): number {
  const paid = prices[from] as number
  const got = prices[to] as number
  if (!(paid > 0 && paid < start * got)) return 0
  const sold = curve.soldAt(paid / got)
  return got * curve.bought(sold) - paid * sold
}

/** Returns at least the profit of a pool that sells one token at `paid` and buys one at `got`. */
export function profitBound({ curve, start }: PoolEdge, paid: number, got: number): number {
  if (!(paid < start * got)) return 0
  if (got === Number.POSITIVE_INFINITY) return got
  const sold = curve.soldAt(paid / got)
  // Curves leave out the last part of the capacity.
  const bought = sold >= curve.capacity ? curve.most : curve.bought(sold)
  return Math.max(0, got * bought - paid * sold)
}

type Place = { length: number; slope: number }

function between(low: Place, high: Place): number {
  const part = low.slope / (low.slope - high.slope)
  return low.length + Math.min(Math.max(part, 0.1), 0.9) * (high.length - low.length)
}

function at(values: Float64Array, i: number): number {
  return values[i] as number
}
