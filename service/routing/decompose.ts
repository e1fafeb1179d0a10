import type { Route } from './route.ts'

export type Hops = Pick<Route, 'tokens' | 'edges'>

export type Path = { tokens: number[]; share: bigint }

/** Decomposes a route into paths, widest first; their shares sum exactly to each flow. */
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

type Flow = Map<number, bigint>[]

/**
 * Amounts of different tokens are not comparable, shares are. With the product of all totals as the whole,
 * divisions are exact.
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

function findWidest(flow: Flow): Path | undefined {
  const last = flow.length - 1
  const best: (Path | undefined)[] = flow.map(() => undefined)
  // In topological order inflows come first.
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
