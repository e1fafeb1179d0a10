import { type Arc, arcGas, type Candidates } from './candidates.ts'

/** A way without branches, with what it returns and what of that is left after gas; whether its pools can take all that reaches them. */
export type Path = {
  arcs: readonly Arc[]
  sold: readonly number[]
  returns: number
  net: number
  fills: boolean
}

/** What one gas is worth in base units of the bought token, and about how many of those a unit of each token is worth. */
export type Worth = { gas: number; tokens: ArrayLike<number> }

/**
 * The best way of each sequence of tokens with at most `complexityLevel` connectors; first those whose pools can take `amount`, and
 * among them the one that leaves most after gas. Each step is by the pool that buys most, less its gas: more input never buys less.
 */
export function findPaths(
  { tokens, arcs }: Candidates,
  amount: number,
  complexityLevel: number,
  worth: Worth,
): Path[] {
  const last = tokens.length - 1
  const ways = sortWays(arcs, tokens.length)
  const done: Path[] = []
  walk(0, { arcs: [], sold: [], returns: amount, net: 0, fills: true })
  return done.sort((a, b) => Number(b.fills) - Number(a.fills) || b.net - a.net)

  /** `net` is less than nothing until the end: gas alone. */
  function walk(token: number, path: Path) {
    const isFull = path.arcs.length === complexityLevel
    for (let to = isFull ? last : 1; to <= last; to++) {
      if (path.arcs.some(({ from }) => from === to)) continue
      const step = bestStep(ways[token * tokens.length + to] ?? [], path)
      if (step === undefined) continue
      const next = {
        arcs: [...path.arcs, step.arc],
        sold: [...path.sold, path.returns],
        returns: step.bought,
        net: path.net - step.cost + (to === last ? step.bought : 0),
        fills: path.fills && step.fills,
      }
      if (to === last) done.push(next)
      else walk(to, next)
    }
  }

  function bestStep(ways: readonly Arc[], { returns: sold, arcs: before }: Path): Step | undefined {
    let best: Step | undefined
    for (const arc of ways) {
      const value = worth.tokens[arc.to] as number
      // It never buys more than at its start, and those that follow start lower.
      if (best?.fills && arc.start * sold * value <= best.score) break
      if (before.some(({ pool }) => pool === arc.pool)) continue
      const bought = arc.curve.bought(sold)
      if (bought === 0) continue
      const fills = sold <= arc.curve.capacity
      const cost = worth.gas === 0 ? 0 : arcGas(arc, sold) * worth.gas
      const score = bought * value - cost
      if (best && (best.fills === fills ? score <= best.score : best.fills)) continue
      best = { arc, bought, cost, score, fills }
    }
    return best
  }
}

type Step = { arc: Arc; bought: number; cost: number; score: number; fills: boolean }

/** The arcs of each pair of tokens, those that begin with the best price first. */
function sortWays(arcs: readonly Arc[], count: number): Arc[][] {
  const ways: Arc[][] = []
  for (const arc of arcs) {
    const place = arc.from * count + arc.to
    const own = ways[place]
    if (own) own.push(arc)
    else ways[place] = [arc]
  }
  for (const own of ways) own?.sort((a, b) => b.start - a.start || (a.pool.address < b.pool.address ? -1 : 1))
  return ways
}

/** What the first bit of each token would return, per unit, along at most `hops` hops; 0 where there is no way. */
export function firstPrices({ tokens, arcs }: Candidates, hops: number): number[] {
  let prices: number[] = tokens.map((_, i) => (i === tokens.length - 1 ? 1 : 0))
  for (let hop = 0; hop < hops; hop++) {
    const next = [...prices]
    for (const { from, to, start } of arcs) {
      next[from] = Math.max(next[from] as number, start * (prices[to] as number))
    }
    prices = next
  }
  return prices
}

/** The same for the bit after all of a path's. */
export function pricesAfter(prices: readonly number[], { arcs, sold }: Path): number[] {
  const after = [...prices]
  for (let i = arcs.length - 1; i >= 0; i--) {
    const { from, to, curve } = arcs[i] as Arc
    // A pool that the path exhausts has no price any more.
    const price = curve.slope(sold[i] as number) * (after[to] as number)
    after[from] = Math.max(price, (prices[from] as number) * 1e-9)
  }
  return after
}
