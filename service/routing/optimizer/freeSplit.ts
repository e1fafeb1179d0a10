import type { Address } from '../../config.ts'
import type { Pool } from '../../pools/pool.ts'
import { type Admission, admitTokens } from '../admission/admit.ts'
import type { MarketView } from '../admission/marketView.ts'
import { findBetween, listNamedTokens, type SeedRequest } from '../admission/seeds.ts'
import { type Candidates, listCandidates, type RoutingInput } from '../candidates.ts'
import { findPaths, pricesAfterTrade, spotPrices } from '../paths.ts'
import type { Bound } from '../route.ts'
import { type DualSolution, edgeProfit, profitBound, solveDual } from './dual.ts'

/** The best split without gas and limits on its parts, over all pools that pay at its prices. */
export type FreeSplit = {
  candidates: Candidates
  solution: DualSolution
  /** Computes an upper bound on the returns in the bought token. */
  bound(): Bound
}

const maxRounds = 8
const mostJoining = 16
/** Part of the value that a token must bring to join. */
const negligible = 1e-6
/** Floating-point error of the value, and of the flows in it. */
const lostOnValue = 1e-9
const lostOnFlows = 1e-12
export const exactly = 1e-9

/**
 * Solves from the chain's connectors, admits the tokens and pools that pay at the prices found, and repeats
 * until none does. Given connectors stay alone.
 */
export function solveMarket(
  view: MarketView,
  ground: RoutingInput,
  request: SeedRequest,
  pathConnectors: number,
): FreeSplit {
  const { amount, complexityLevel: level } = request
  const isClosed = request.connectors !== undefined || level === 0
  const over = isClosed || level < 2 ? 'candidates' : 'market'
  const joined = new Set<Pool>()
  let candidates = listCandidates(view, listNamedTokens(ground, request), level, joined)
  if (!isClosed && !isConnected(candidates, pathConnectors)) {
    const between = findBetween(view, request).map((token) => ({ token, price: 0 }))
    const unknown = candidates.tokens.map(() => 0)
    candidates = addTokens(view, candidates, unknown, between, level, joined).candidates
  }
  let prices: ArrayLike<number> = startPrices(candidates, amount, pathConnectors)
  for (let round = 1; ; round++) {
    const solution = solveDual(candidates.arcs, candidates.tokens.length, amount, prices, exactly)
    const least = negligible * solution.value
    const spare = candidates.spare.filter((arc) => edgeProfit(arc, solution.prices) > least)
    const anchors = { tokens: candidates.tokens, prices: solution.prices, isFree: level >= 2 }
    const terms = { size: least, least, mostTokens: round < maxRounds ? mostJoining : 0 }
    const admission = isClosed ? nothing : admitTokens(view, anchors, terms)
    if ((spare.length === 0 && admission.joining.length === 0) || round === maxRounds) {
      const bound = (): Bound => {
        const value = boundAt(whole.candidates, amount, solution.prices)
        const profit = admission.profit()
        // Without a price for each token there is no proof for the market.
        return Number.isFinite(profit) ? { value: value + profit, over } : { value, over: 'candidates' }
      }
      const whole = { candidates, solution, bound }
      return whole
    }
    for (const { pool } of spare) joined.add(pool)
    ;({ candidates, prices } = addTokens(view, candidates, solution.prices, admission.joining, level, joined))
  }
}

const nothing: Admission = { joining: [], profit: () => 0 }

function isConnected(candidates: Candidates, pathConnectors: number): boolean {
  return (spotPrices(candidates, pathConnectors + 1)[0] as number) > 0
}

function startPrices(candidates: Candidates, amount: number, pathConnectors: number): ArrayLike<number> {
  const spot = spotPrices(candidates, pathConnectors + 1)
  const [path] = findPaths(candidates, amount, pathConnectors, { gas: 0, tokens: spot })
  return path ? pricesAfterTrade(spot, path) : spot
}

/** Returns the candidates with more tokens, which `known` prices are extended by. */
export function addTokens(
  view: MarketView,
  { tokens }: Candidates,
  known: ArrayLike<number>,
  joining: Admission['joining'],
  complexityLevel: number,
  joined: ReadonlySet<Pool>,
): { candidates: Candidates; prices: ArrayLike<number> } {
  const own = new Map(tokens.map((token, i) => [token, known[i] as number]))
  // A token without a price yet may be on a path to a joining one.
  for (const { token, price } of joining) own.set(token, price)
  const buy = tokens[tokens.length - 1] as Address
  const bought = own.get(buy) as number
  own.delete(buy)
  const candidates = listCandidates(view, [...own.keys(), buy], complexityLevel, joined)
  return { candidates, prices: [...own.values(), bought] }
}

/** The dual value at these prices, raised by rounding errors. */
function boundAt({ arcs, spare }: Candidates, amount: number, prices: ArrayLike<number>): number {
  let value = (prices[0] as number) * amount
  let flows = value
  for (const list of [arcs, spare]) {
    for (const arc of list) {
      const [paid, got] = [prices[arc.from] as number, prices[arc.to] as number]
      if (!(paid > 0)) continue
      value += got * (arc.curve.rounding ?? 0)
      const profit = profitBound(arc, paid, got)
      if (profit === 0) continue
      value += profit
      flows += paid * arc.curve.soldAt(paid / got)
    }
  }
  return value * (1 + lostOnValue) + flows * lostOnFlows
}
