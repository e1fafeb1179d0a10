import { type Candidates, edgeGas, type RoutingEdge } from './candidates.ts'

/** Without splits; `fills` is true if its pools have the capacity. */
export type Path = {
  arcs: readonly RoutingEdge[]
  sold: readonly number[]
  returns: number
  net: number
  fills: boolean
}

/** In base units of the bought token: one gas, and one unit of each token. */
export type NetReturn = { gas: number; tokens: ArrayLike<number> }

/** Beyond, only the best path to each token is extended. */
const triedConnectors = 2

/**
 * Finds paths, first those with enough capacity, then by net returns. Each step takes the pool with the best
 * output less gas, as more input never buys less.
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

/** Bellman-Ford on amounts. */
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

/** Finds paths with enough capacity, in a limited number of steps. */
export function findCapacityPaths(
  candidates: Candidates,
  amount: number,
  mostConnectors: number,
  worth: NetReturn,
): Path[] {
  let left = maxFillingSteps
  return walk(candidates, amount, Math.min(mostConnectors, triedConnectors), (ways, path) =>
    ways.flatMap((arc): Step[] => {
      if (left-- <= 0 || path.returns > arc.curve.capacity * spared) return []
      const step = stepThrough(arc, path, worth)
      if (step === undefined) return []
      return [step.fills ? step : { ...step, fills: true, bought: arc.curve.most }]
    }),
  )
}

const maxFillingSteps = 4_000
/** Curves omit up to a thousandth of their capacity. */
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

  /** Until the last hop `net` is minus the gas. */
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
    // Later pools start lower.
    if (best?.fills && arc.start * path.returns * (worth.tokens[arc.to] as number) <= best.score) break
    const step = stepThrough(arc, path, worth)
    if (step === undefined) continue
    if (best && (best.fills === step.fills ? step.score <= best.score : best.fills)) continue
    best = step
  }
  return best
}

function stepThrough(
  arc: RoutingEdge,
  { returns: sold, arcs: before }: Path,
  worth: NetReturn,
): Step | undefined {
  if (before.some(({ pool }) => pool === arc.pool)) return undefined
  const bought = arc.curve.bought(sold)
  if (bought === 0) return undefined
  const cost = worth.gas === 0 ? 0 : edgeGas(arc, sold) * worth.gas
  const score = bought * (worth.tokens[arc.to] as number) - cost
  return { arc, bought, cost, score, fills: sold <= arc.curve.capacity }
}

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

/** Beyond, profitable cycles would raise prices forever. */
const compoundedHops = 3

/** Returns each token's marginal return within `hops` hops; 0 if unreachable. */
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

/** Returns the marginal returns after a path is traded. */
export function pricesAfterTrade(prices: readonly number[], { arcs, sold }: Path): number[] {
  const after = [...prices]
  for (let i = arcs.length - 1; i >= 0; i--) {
    const { from, to, curve } = arcs[i] as RoutingEdge
    const price = curve.slope(sold[i] as number) * (after[to] as number)
    after[from] = Math.max(price, (prices[from] as number) * 1e-9)
  }
  return after
}
