import type { Candidates, RoutingEdge } from '../../service/routing/candidates.ts'
import type { RouteLimits } from '../../service/routing/routeLimits.ts'

/** Paths considered, by their return for the first slice. */
const maxWays = 30

/**
 * Splits into equal slices, each to the best path of at most two connectors. Ignoring gas and the parts limit
 * favors it.
 */
export function percentGrid(
  { tokens, arcs }: Candidates,
  amount: number,
  slices: number,
  limits: RouteLimits,
): number {
  const between = new Map<number, RoutingEdge[]>()
  for (const arc of arcs) {
    const place = arc.from * tokens.length + arc.to
    between.set(place, [...(between.get(place) ?? []), arc])
  }
  const sold = new Map<RoutingEdge, number>()
  /** One direction per pool. */
  const directions = new Map<RoutingEdge['pool'], RoutingEdge>()
  const leaving = new Set<RoutingEdge>()
  const connectors = new Set<number>()
  /** No connector may do both, or a path would have a third. */
  const paid = new Set<number>()
  const paying = new Set<number>()
  const slice = amount / slices

  const ways = listWays(tokens.length)
    .map((way) => ({ way, first: walk(way, slice).returns }))
    .filter(({ first }) => first > 0)
    .sort((one, other) => other.first - one.first)
    .slice(0, maxWays)
    .map(({ way }) => way)

  let total = 0
  for (let dealt = 0; dealt < slices; dealt++) {
    let best: Walk = { returns: 0, steps: [] }
    for (const way of ways) {
      if (!isAllowed(way)) continue
      const tried = walk(way, slice)
      if (tried.returns > best.returns) best = tried
    }
    total += best.returns
    for (const { arc, input } of best.steps) {
      sold.set(arc, (sold.get(arc) ?? 0) + input)
      directions.set(arc.pool, arc)
      note(arc)
    }
  }
  return total

  function isAllowed(way: readonly number[]): boolean {
    const [first, second] = way.slice(1, -1)
    if (second !== undefined && (paid.has(first as number) || paying.has(second))) return false
    return new Set([...connectors, ...way.slice(1, -1)]).size <= limits.connectorCount
  }

  function note(arc: RoutingEdge): void {
    const isPaid = arc.to < tokens.length - 1
    if (arc.from === 0) leaving.add(arc)
    if (isPaid) connectors.add(arc.to)
    if (!isPaid || arc.from === 0) return
    paying.add(arc.from)
    paid.add(arc.to)
  }

  /** Returns of one more slice. */
  function walk(way: readonly number[], input: number): Walk {
    const steps: Walk['steps'] = []
    let held = input
    for (let i = 0; i + 1 < way.length; i++) {
      let most = 0
      let chosen: RoutingEdge | undefined
      for (const arc of between.get((way[i] as number) * tokens.length + (way[i + 1] as number)) ?? []) {
        if ((directions.get(arc.pool) ?? arc) !== arc) continue
        if (i === 0 && !leaving.has(arc) && leaving.size >= limits.mainRouteParts) continue
        const before = sold.get(arc) ?? 0
        if (before + held > arc.curve.capacity || arc.start * held <= most) continue
        const more = arc.curve.bought(before + held) - arc.curve.bought(before)
        if (more > most) [most, chosen] = [more, arc]
      }
      if (chosen === undefined) return { returns: 0, steps: [] }
      steps.push({ arc: chosen, input: held })
      held = most
    }
    return { returns: held, steps }
  }
}

type Walk = { returns: number; steps: { arc: RoutingEdge; input: number }[] }

/** Paths with at most two connectors. */
function listWays(count: number): number[][] {
  const last = count - 1
  const middles = Array.from({ length: Math.max(0, count - 2) }, (_, i) => i + 1)
  const two = middles.flatMap((one) =>
    middles.filter((other) => other !== one).map((other) => [0, one, other, last]),
  )
  return [[0, last], ...middles.map((one) => [0, one, last]), ...two]
}
