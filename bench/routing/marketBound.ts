import type { PoolSnapshot } from '../../service/pools/poolType.ts'
import type { RoutingEdge } from '../../service/routing/candidates.ts'
import { solveDual } from '../../service/routing/optimizer/dual.ts'
import { solveShared } from '../../service/routing/optimizer/sharedPools.ts'
import type { RouteRequest } from '../../service/routing/route.ts'
import { createMarketArcs, overcount, type Paying, sharedTokens } from './marketArcs.ts'
import type { Priced } from './trades.ts'

const maxRounds = 40
const maxSweeps = 30
/** Tokens of the first solve, besides the ends' neighbours. */
const famous = 20
const maxAttempts = 10
/** Choices of the arcs that sell the sold token. */
const maxChoices = 25
/** Part of the value at which the bound is tight enough. */
const tight = 1e-8

/**
 * Returns a function that bounds the returns of any route over all pools between the tokens, gas excluded.
 * `priced` are the tokens with their true prices, where the search starts.
 *
 * Uses every arc, without the service's choice of candidates: at any prices, the worth of the amount and the
 * profits of all pools are a bound (Diamandis et al. 2023, arXiv 2302.04938, section 2). A pool of several
 * tokens counts with the profits of its pairs or that of all together, whichever is less. Rounds lower it:
 * tokens of profitable arcs are solved together, other tokens get a price between the dearest sale and the
 * cheapest purchase. The last evaluation is over all arcs, so errors of the rounds only raise it.
 */
export function createMarketBound(standings: readonly PoolSnapshot[], priced: readonly Priced[]) {
  const tokens = priced.map(({ address }) => address)
  const places = new Map(tokens.map((token, i) => [token, i]))
  const { arcs, joints } = createMarketArcs(standings, places)

  /** With `leaving`, of routes of at most so many hops that sell the sold token. */
  return function boundOf({ sell, buy, amount }: RouteRequest, leaving = Number.POSITIVE_INFINITY): number {
    const [first, last] = [places.get(sell), places.get(buy)] as [number, number]
    const usable = arcs.filter(({ from, to }) => from !== last && to !== first)
    const unit = worthOf(priced[last] as Priced)
    let prices: Float64Array = Float64Array.from(priced, (token) => worthOf(token) / unit)
    const boundAt = (some: Float64Array) => {
      const { value, paying } = evaluate(usable, some, first, Number(amount), leaving)
      const all =
        leaving === Number.POSITIVE_INFINITY
          ? { value, paying }
          : evaluate(usable, some, first, Number(amount))
      return { value, paying, bound: Math.min(value, all.value - overcount(joints, some, all.paying)) }
    }
    const paying = (some: Float64Array) => evaluate(usable, some, first, Number(amount)).paying
    const solved = new Set([first, last, ...tokens.slice(0, famous).keys()])
    for (const end of [first, last]) for (const token of neighboursOf(usable, end)) solved.add(token)
    let least = Number.POSITIVE_INFINITY
    for (let round = 0; round < maxRounds; round++) {
      const { value, paying: some, bound } = boundAt(prices)
      least = Math.min(least, bound)
      const more = some.filter(({ arc }) => !solved.has(arc.from) || !solved.has(arc.to))
      const left = more.reduce((sum, { profit }) => sum + profit, 0)
      if (round > 0 && left < tight * value) break
      for (const { arc, profit } of more.sort((a, b) => b.profit - a.profit).slice(0, 60)) {
        if (profit > (tight * value) / 1_000) solved.add(arc.from).add(arc.to)
      }
      const own = [first, ...[...solved].filter((t) => t !== first && t !== last), last]
      const found = solveTokens(usable, prices, own, Number(amount), leaving)
      for (const some of found) priceOthers(usable, some, solved)
      prices = found.reduce((one, other) => (boundAt(other).bound < boundAt(one).bound ? other : one))
    }
    const trades = paying(prices)
    if (overcount(joints, prices, trades) < 100 * tight * least) return least
    const shared = sharedTokens(joints, trades).filter((token) => token !== last)
    return Math.min(
      least,
      polish(prices, shared, (some) => boundAt(some).bound),
    )
  }
}

/** The last part by which prices are scaled. */
const finest = 1e-5

/**
 * Lowers the bound by the prices of the tokens whose pool trades several pairs, which the search prices as
 * pools of their own: scales them one by one and together, by smaller and smaller parts.
 */
function polish(
  prices: Float64Array,
  tokens: readonly number[],
  boundAt: (some: Float64Array) => number,
): number {
  let [best, least] = [prices, boundAt(prices)]
  if (tokens.length === 0) return least
  const groups = [...tokens.map((token) => [token]), tokens]
  for (let width = 0.3; width > finest; width /= 2) {
    for (let isLower = true; isLower; ) {
      isLower = false
      for (const group of groups) {
        for (const factor of [1 + width, 1 / (1 + width)]) {
          const tried = best.map((price, i) => (group.includes(i) ? price * factor : price))
          const bound = boundAt(tried)
          if (!(bound < least * (1 - width * 1e-4))) continue
          ;[best, least, isLower] = [tried, bound, true]
        }
      }
    }
  }
  return least
}

function worthOf({ usd, decimals }: Priced): number {
  return usd / 10 ** decimals
}

/** Of a token with few pools; one with many trades with the famous tokens. */
function neighboursOf(arcs: readonly RoutingEdge[], token: number): number[] {
  const others = new Set(arcs.flatMap(({ from, to }) => (from === token ? [to] : to === token ? [from] : [])))
  return others.size > famous ? [] : [...others]
}

/**
 * Returns the dual value. Where only `leaving` arcs may sell the sold token, those that profit most count: at
 * any prices, no choice of so many arcs has more (Lagrangian relaxation of the flow's balances).
 */
function evaluate(
  arcs: readonly RoutingEdge[],
  prices: Float64Array,
  first: number,
  amount: number,
  leaving = Number.POSITIVE_INFINITY,
) {
  let value = (prices[first] as number) * amount
  const paying: Paying[] = []
  for (const arc of arcs) {
    const profit = profitOf(arc, prices)
    if (profit > 0) paying.push({ arc, profit })
  }
  const counted = mostProfitable(paying, first, leaving)
  for (const { profit } of counted) value += profit
  return { value, paying: counted }
}

/** Without the arcs of the first token beyond the `leaving` that profit most. */
function mostProfitable(paying: Paying[], first: number, leaving: number): Paying[] {
  const own = paying.filter(({ arc }) => arc.from === first)
  if (own.length <= leaving) return paying
  const kept = new Set(own.sort((a, b) => b.profit - a.profit).slice(0, leaving))
  return paying.filter((one) => one.arc.from !== first || kept.has(one))
}

function profitOf({ curve, from, to, start }: RoutingEdge, prices: Float64Array): number {
  const [paid, got] = [prices[from] as number, prices[to] as number]
  if (!(paid < start * got)) return 0
  const sold = curve.soldAt(paid / got)
  // A full pool also sells the margin that its curve leaves out.
  const bought = sold >= curve.capacity ? curve.most : curve.bought(sold)
  return Math.max(0, got * bought - paid * sold)
}

/** Returns prices at which pairs are in balance, and those where the pairs of a pool are together. */
function solveTokens(
  arcs: readonly RoutingEdge[],
  prices: Float64Array,
  solved: readonly number[],
  amount: number,
  leaving: number,
): Float64Array[] {
  const own = new Map(solved.map((token, i) => [token, i]))
  const between = arcs.flatMap((arc): RoutingEdge[] => {
    const [from, to] = [own.get(arc.from), own.get(arc.to)]
    return from === undefined || to === undefined ? [] : [{ ...arc, from, to }]
  })
  const start = Float64Array.from(solved, (token) => prices[token] as number)
  const solution = clear(between, solved.length, amount, start)
  const limited = Number.isFinite(leaving)
  const pairs = limited ? clearLimited(between, amount, leaving, solution.prices) : solution.prices
  const together = solveShared(between, solved.length, amount, solution, 1e-9).clearing.prices
  return [...new Set([pairs, together])].map((own) => {
    const all = Float64Array.from(prices)
    solved.forEach((token, i) => {
      all[token] = own[i] as number
    })
    return all
  })
}

function clear(arcs: readonly RoutingEdge[], size: number, amount: number, start: Float64Array) {
  let solution = solveDual(arcs, size, amount, start, 1e-9)
  for (let attempt = 1; attempt < maxAttempts && solution.imbalance >= 1e-8; attempt++) {
    solution = solveDual(arcs, size, amount, solution.prices, 1e-9)
  }
  return solution
}

/**
 * Lowers the limited dual value, which is convex. If the arcs chosen at some prices are also those chosen at
 * the prices that clear them, these are the best: the bound is then what that choice returns. Otherwise the
 * choices alternate and a mean of their prices is better.
 */
function clearLimited(
  arcs: readonly RoutingEdge[],
  amount: number,
  leaving: number,
  start: Float64Array,
): Float64Array {
  const valueAt = (prices: Float64Array) => evaluate(arcs, prices, 0, amount, leaving)
  let best = { prices: start, value: valueAt(start).value }
  let at = start
  for (let step = 0; step < maxChoices; step++) {
    const chosen = new Set(valueAt(at).paying.flatMap(({ arc }) => (arc.from === 0 ? [arc] : [])))
    const open = arcs.filter((arc) => arc.from > 0 || chosen.has(arc))
    const cleared = clear(open, start.length, amount, at).prices
    // Along the line between two choices' prices, nearest to the new ones first.
    for (const part of [1, 0.5, 0.25, 0.125, 0.06, 0.03]) {
      const prices = at.map((price, i) => price + part * ((cleared[i] as number) - price))
      const { value } = valueAt(prices)
      if (value < best.value) best = { prices, value }
    }
    if (best.prices === at) break
    at = best.prices
  }
  return best.prices
}

/** Bellman-Ford from the fixed tokens: the cheapest purchase, the dearest sale, and a price between them. */
function priceOthers(arcs: readonly RoutingEdge[], prices: Float64Array, fixed: ReadonlySet<number>): void {
  const low = prices.map((price, i) => (fixed.has(i) ? price : Number.POSITIVE_INFINITY))
  const high = prices.map((price, i) => (fixed.has(i) ? price : 0))
  for (let sweep = 0, isChanged = true; sweep < maxSweeps && isChanged; sweep++) {
    isChanged = false
    for (const { from, to, start } of arcs) {
      if (!fixed.has(to) && (low[from] as number) < start * (low[to] as number)) {
        low[to] = (low[from] as number) / start
        isChanged = true
      }
      if (!fixed.has(from) && start * (high[to] as number) > (high[from] as number)) {
        high[from] = start * (high[to] as number)
        isChanged = true
      }
    }
  }
  prices.forEach((_, i) => {
    if (fixed.has(i)) return
    const [buy, sell] = [low[i] as number, high[i] as number]
    prices[i] =
      sell === 0 ? (Number.isFinite(buy) ? buy : 0) : Number.isFinite(buy) ? Math.sqrt(buy * sell) : sell
  })
}
