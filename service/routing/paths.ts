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
  candidates: Candidates,
  amount: number,
  complexityLevel: number,
  worth: Worth,
): Path[] {
  return walk(candidates, amount, complexityLevel, (ways, path) => {
    const step = bestStep(ways, path, worth)
    return step === undefined ? [] : [step]
  })
}

/**
 * Every way whose pools may take what reaches them, the one that may leave most after gas first: where the pools that pay most hand on
 * more than the next ones take, others do not. As far as so many steps tell: this is for amounts that hardly fit anywhere.
 */
export function findFillingPaths(
  candidates: Candidates,
  amount: number,
  complexityLevel: number,
  worth: Worth,
): Path[] {
  let left = mostFillingSteps
  return walk(candidates, amount, complexityLevel, (ways, path) =>
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
  complexityLevel: number,
  choose: (ways: readonly Arc[], path: Path) => readonly Step[],
): Path[] {
  const last = tokens.length - 1
  const ways = sortWays(arcs, tokens.length)
  const done: Path[] = []
  goOn(0, { arcs: [], sold: [], returns: amount, net: 0, fills: true })
  return done.sort((a, b) => Number(b.fills) - Number(a.fills) || b.net - a.net)

  /** `net` is less than nothing until the end: gas alone. */
  function goOn(token: number, path: Path) {
    const isFull = path.arcs.length === complexityLevel
    for (let to = isFull ? last : 1; to <= last; to++) {
      if (path.arcs.some(({ from }) => from === to)) continue
      for (const step of choose(ways[token * tokens.length + to] ?? [], path)) {
        const next = {
          arcs: [...path.arcs, step.arc],
          sold: [...path.sold, path.returns],
          returns: step.bought,
          net: path.net - step.cost + (to === last ? step.bought : 0),
          fills: path.fills && step.fills,
        }
        if (to === last) done.push(next)
        else goOn(to, next)
      }
    }
  }
}

type Step = { arc: Arc; bought: number; cost: number; score: number; fills: boolean }

function bestStep(ways: readonly Arc[], path: Path, worth: Worth): Step | undefined {
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
function stepThrough(arc: Arc, { returns: sold, arcs: before }: Path, worth: Worth): Step | undefined {
  if (before.some(({ pool }) => pool === arc.pool)) return undefined
  const bought = arc.curve.bought(sold)
  if (bought === 0) return undefined
  const cost = worth.gas === 0 ? 0 : arcGas(arc, sold) * worth.gas
  const score = bought * (worth.tokens[arc.to] as number) - cost
  return { arc, bought, cost, score, fills: sold <= arc.curve.capacity }
}

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
