import { arcGas, type Candidates, type RoutingEdge } from './candidates.ts'

/** A way without branches, with what it returns and what of that is left after gas; whether its pools can take all that reaches them. */
export type Path = {
  arcs: readonly RoutingEdge[]
  sold: readonly number[]
  returns: number
  net: number
  fills: boolean
}

/** What one gas is worth in base units of the bought token, and about how many of those a unit of each token is worth. */
export type NetReturn = { gas: number; tokens: ArrayLike<number> }

/** Up to so many connectors every sequence of tokens is tried; beyond, only the best way to each token is extended. */
const triedConnectors = 2

/**
 * Paths with at most `mostConnectors`: the best of each sequence of up to two, and longer ones that continue the best path to a
 * token. First come those whose pools can take `amount`, among them the one that leaves most after gas. Each step is by the pool
 * that buys most, less its gas: more input never buys less.
 */
export function findPaths(
  candidates: Candidates,
  amount: number,
  mostConnectors: number,
  worth: NetReturn,
): Path[] {
  const tried = walk(candidates, amount, Math.min(mostConnectors, triedConnectors), (ways, path) => {
    const step = bestStep(ways, path, worth)
    return step === undefined ? [] : [step]
  })
  if (mostConnectors <= triedConnectors) return tried
  const longer = extend(candidates, amount, mostConnectors, worth)
  return longer.length === 0 ? tried : sortPaths([...tried, ...longer])
}

/** Bellman and Ford's relaxation on amounts: round by round, the paths to tokens that are better than all shorter ones. */
function extend(
  { tokens, arcs }: Candidates,
  amount: number,
  mostConnectors: number,
  worth: NetReturn,
): Path[] {
  const last = tokens.length - 1
  const ways = sortWays(arcs, tokens.length)
  const scoreOf = ({ returns, net }: Path, token: number) => returns * (worth.tokens[token] as number) + net
  const best: (Path | undefined)[] = tokens.map(() => undefined)
  let ends: Path[] = []
  let reached = new Map<number, Path>([[0, start(amount)]])
  for (let hop = 1; reached.size > 0 && hop <= Math.min(mostConnectors + 1, last); hop++) {
    const next = new Map<number, Path>()
    for (const [from, path] of reached) {
      for (let to = 1; to <= last; to++) {
        if (path.arcs.some((arc) => arc.from === to)) continue
        const step = bestStep(ways[from * tokens.length + to] ?? [], path, worth)
        if (step === undefined) continue
        const longer = goThrough(path, step)
        const known = best[to]
        if (known && (known.fills !== longer.fills ? known.fills : scoreOf(known, to) >= scoreOf(longer, to)))
          continue
        best[to] = longer
        if (to < last) next.set(to, longer)
        else if (hop > triedConnectors + 1) ends = [...ends, { ...longer, net: longer.net + longer.returns }]
      }
    }
    reached = next
  }
  return ends
}

function start(amount: number): Path {
  return { arcs: [], sold: [], returns: amount, net: 0, fills: true }
}

/** One hop further; `net` counts gas alone. */
function goThrough(path: Path, step: Step): Path {
  return {
    arcs: [...path.arcs, step.arc],
    sold: [...path.sold, path.returns],
    returns: step.bought,
    net: path.net - step.cost,
    fills: path.fills && step.fills,
  }
}

function sortPaths(paths: Path[]): Path[] {
  return paths.sort((a, b) => Number(b.fills) - Number(a.fills) || b.net - a.net)
}

/**
 * Every way whose pools may take what reaches them, the one that may leave most after gas first: where the pools that pay most hand on
 * more than the next ones take, others do not. As far as so many steps tell: this is for amounts that hardly fit anywhere.
 */
export function findCapacityPaths(
  candidates: Candidates,
  amount: number,
  mostConnectors: number,
  worth: NetReturn,
): Path[] {
  let left = mostFillingSteps
  return walk(candidates, amount, Math.min(mostConnectors, triedConnectors), (ways, path) =>
    ways.flatMap((arc): Step[] => {
      if (left-- <= 0 || path.returns > arc.curve.capacity * spared) return []
      const step = stepThrough(arc, path, worth)
      if (step === undefined) return []
      return [step.fills ? step : { ...step, fills: true, bought: arc.curve.most }]
    }),
  )
}

const mostFillingSteps = 4_000
/** Curves leave up to a thousandth of their capacity alone, which an exact amount may use. */
const spared = 1.002

function walk(
  { tokens, arcs }: Candidates,
  amount: number,
  mostConnectors: number,
  choose: (ways: readonly RoutingEdge[], path: Path) => readonly Step[],
): Path[] {
  const last = tokens.length - 1
  const ways = sortWays(arcs, tokens.length)
  const done: Path[] = []
  goOn(0, start(amount))
  return sortPaths(done)

  /** `net` is less than nothing until the end: gas alone. */
  function goOn(token: number, path: Path) {
    const isFull = path.arcs.length === mostConnectors
    for (let to = isFull ? last : 1; to <= last; to++) {
      if (path.arcs.some(({ from }) => from === to)) continue
      for (const step of choose(ways[token * tokens.length + to] ?? [], path)) {
        const next = goThrough(path, step)
        if (to === last) done.push({ ...next, net: next.net + next.returns })
        else goOn(to, next)
      }
    }
  }
}

type Step = { arc: RoutingEdge; bought: number; cost: number; score: number; fills: boolean }

function bestStep(ways: readonly RoutingEdge[], path: Path, worth: NetReturn): Step | undefined {
  let best: Step | undefined
  for (const arc of ways) {
    // It never buys more than at its start, and those that follow start lower.
    if (best?.fills && arc.start * path.returns * (worth.tokens[arc.to] as number) <= best.score) break
    const step = stepThrough(arc, path, worth)
    if (step === undefined) continue
    if (best && (best.fills === step.fills ? step.score <= best.score : best.fills)) continue
    best = step
  }
  return best
}

/** One hop further along `path`, or undefined where the pool was used already or buys nothing. */
function stepThrough(
  arc: RoutingEdge,
  { returns: sold, arcs: before }: Path,
  worth: NetReturn,
): Step | undefined {
  if (before.some(({ pool }) => pool === arc.pool)) return undefined
  const bought = arc.curve.bought(sold)
  if (bought === 0) return undefined
  const cost = worth.gas === 0 ? 0 : arcGas(arc, sold) * worth.gas
  const score = bought * (worth.tokens[arc.to] as number) - cost
  return { arc, bought, cost, score, fills: sold <= arc.curve.capacity }
}

/** The arcs of each pair of tokens, those that begin with the best price first. */
function sortWays(arcs: readonly RoutingEdge[], count: number): RoutingEdge[][] {
  const ways: RoutingEdge[][] = []
  for (const arc of arcs) {
    const place = arc.from * count + arc.to
    const own = ways[place]
    if (own) own.push(arc)
    else ways[place] = [arc]
  }
  for (const own of ways) own?.sort((a, b) => b.start - a.start || (a.pool.address < b.pool.address ? -1 : 1))
  return ways
}

/** After so many hops only tokens without a price get one: a cycle that pays would raise the others without end. */
const compoundedHops = 3

/** What the first bit of each token would return, per unit, along at most `hops` hops; 0 where there is no way. */
export function spotPrices({ tokens, arcs }: Candidates, hops: number): number[] {
  let prices: number[] = tokens.map((_, i) => (i === tokens.length - 1 ? 1 : 0))
  for (let hop = 0; hop < Math.min(hops, tokens.length - 1); hop++) {
    const next = [...prices]
    for (const { from, to, start } of arcs) {
      if (hop >= compoundedHops && prices[from] !== 0) continue
      next[from] = Math.max(next[from] as number, start * (prices[to] as number))
    }
    prices = next
  }
  return prices
}

/** The same for the bit after all of a path's. */
export function pricesAfterTrade(prices: readonly number[], { arcs, sold }: Path): number[] {
  const after = [...prices]
  for (let i = arcs.length - 1; i >= 0; i--) {
    const { from, to, curve } = arcs[i] as RoutingEdge
    // A pool that the path exhausts has no price any more.
    const price = curve.slope(sold[i] as number) * (after[to] as number)
    after[from] = Math.max(price, (prices[from] as number) * 1e-9)
  }
  return after
}
