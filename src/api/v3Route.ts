import type { Hop, Route } from '../domain/swap/quote.ts'
import type { Address } from '../domain/token/token.ts'

/** Shares by source, in percent. */
export type Step = { sell: Address; buy: Address; shares: Map<string, number> }

type Piece = { name: string; part: number; sell: Address; buy: Address }

/** Merges one or more pieces of a pair. */
export function readStep(pieces: Piece[]): Step {
  const shares = new Map<string, number>()
  for (const { name, part } of pieces) shares.set(name, (shares.get(name) ?? 0) + part)
  const { sell, buy } = pieces[0] as Piece
  return { sell, buy, shares }
}

/**
 * Merges main routes into one split per token. 3.0 gives no amount per main route, so ambiguous shares are
 * undefined.
 */
export function readRoute(mainRoutes: Step[][], sell: Address): Route {
  const leaving = groupBy(mainRoutes.flat(), (step) => step.sell)
  return inOrder(sell, leaving).map(([token, steps]) => {
    const hops = groupBy(steps, ({ buy }) => buy)
    const isAll = hops.size === 1
    return { token, hops: [...hops].map(([buy, steps]) => readHop(buy, steps, isAll)) }
  })
}

function readHop(buy: Address, steps: Step[], isAll: boolean): Hop {
  const names = new Set(steps.flatMap(({ shares }) => [...shares.keys()]))
  const sources = [...names].map((name) => {
    const [share, ...others] = new Set(steps.map(({ shares }) => shares.get(name)))
    return { name, share: isAll && others.length === 0 ? share : undefined }
  })
  return { buy, share: isAll ? 100 : undefined, sources }
}

/** Topological order (reverse postorder). */
function inOrder(sell: Address, leaving: Map<Address, Step[]>): [Address, Step[]][] {
  const order: [Address, Step[]][] = []
  const seen = new Set<Address>()
  function visit(token: Address): void {
    const steps = leaving.get(token)
    if (steps === undefined || seen.has(token)) return
    seen.add(token)
    for (const { buy } of steps) visit(buy)
    order.unshift([token, steps])
  }
  visit(sell)
  return order
}

function groupBy(steps: Step[], getKey: (step: Step) => Address): Map<Address, Step[]> {
  const groups = new Map<Address, Step[]>()
  for (const step of steps) {
    const key = getKey(step)
    const group = groups.get(key)
    if (group) group.push(step)
    else groups.set(key, [step])
  }
  return groups
}
