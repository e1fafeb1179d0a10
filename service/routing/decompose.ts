import type { Route } from './route.ts'

/** Of a route, what goes where. */
export type Hops = Pick<Route, 'tokens' | 'edges'>

/** A way through the tokens of a route, and the share of what is sold that goes it. */
export type Path = { tokens: number[]; share: bigint }

/**
 * A route as paths from its first token to its last, the widest first. Their shares add up to the flow between any two tokens
 * without a rest; there are no more paths than pairs of tokens that trade.
 */
export function decompose(route: Hops): Path[] {
  const flow = measureFlow(route)
  const paths: Path[] = []
  for (let path = findWidest(flow); path !== undefined; path = findWidest(flow)) {
    const { tokens, share } = path
    tokens.slice(1).forEach((to, i) => {
      const leaving = flow[tokens[i] ?? 0]
      leaving?.set(to, (leaving.get(to) ?? 0n) - share)
    })
    paths.push(path)
  }
  return paths
}

/** By token, what goes to each other one; what enters a token leaves it again. */
type Flow = Map<number, bigint>[]

/**
 * Amounts of different tokens cannot be compared, their shares of the whole can. When the whole is the product of what each token
 * sells in all, every division on the way comes out even.
 */
function measureFlow({ tokens, edges }: Hops): Flow {
  const totals = tokens.map((_, token) =>
    edges.reduce((sum, { from, sold }) => (from === token ? sum + sold : sum), 0n),
  )
  const flow: Flow = tokens.map(() => new Map())
  const held = tokens.map(() => 0n)
  held[0] = totals.reduce((product, total) => (total > 0n ? product * total : product), 1n)
  for (const { from, to, sold } of edges) {
    const share = ((held[from] ?? 0n) * sold) / (totals[from] || 1n)
    flow[from]?.set(to, (flow[from].get(to) ?? 0n) + share)
    held[to] = (held[to] ?? 0n) + share
  }
  return flow
}

/** The path whose narrowest pair is widest, of equals the first by the tokens' order; undefined when nothing flows any more. */
function findWidest(flow: Flow): Path | undefined {
  const last = flow.length - 1
  const best: (Path | undefined)[] = flow.map(() => undefined)
  // Tokens are in topological order: when its turn comes, all that leads to a token has been seen.
  flow.forEach((leaving, token) => {
    const until = best[token] ?? (token === 0 ? { tokens: [0], share: sum(leaving) } : undefined)
    if (until === undefined) return
    for (const [to, width] of leaving) {
      let { share } = until
      if (width < share) share = width
      if (share > (best[to]?.share ?? 0n)) best[to] = { tokens: [...until.tokens, to], share }
    }
  })
  return best[last]
}

function sum(flow: Map<number, bigint>): bigint {
  return [...flow.values()].reduce((total, width) => total + width, 0n)
}
