import type { Arc } from './candidates.ts'
import type { Spread, Task } from './spread.ts'

/** What a spread has to keep within. */
export type Terms = {
  /** The most paths it may fall apart into, and the most arcs that may leave the sold token. */
  parts: number
  mainRouteParts: number
  /** The most connectors on a path, and in all. */
  complexityLevel: number
  connectorCount: number
  /** Gas that all hops together may use. */
  gasRoom: number
}

export function fits(spread: Spread, task: Task, terms: Terms): boolean {
  return findExcess(spread, task, terms) === undefined
}

/** Groups of arcs of which one has to go, because a limit is overstepped; undefined when none is. */
export function findExcess(
  { parts, gas }: Spread,
  { tokenCount }: Task,
  terms: Terms,
): readonly (readonly Arc[])[] | undefined {
  const arcs = parts.map(({ arc }) => arc)
  const last = tokenCount - 1
  const connectors = [...new Set(arcs.map(({ to }) => to))].filter((token) => token !== last)

  // Neither a cycle nor a third connector on a way: one that another pays into pays into none itself.
  for (const token of connectors) {
    const paying = arcs.filter(({ from, to }) => from === token && to !== last)
    const paid = arcs.filter(({ from, to }) => from > 0 && to === token)
    if (paying.length > 0 && paid.length > 0) return [paying, paid]
  }
  for (const { pool } of arcs) {
    // A pool's second price would depend on what was first traded with it.
    const sharing = arcs.filter((arc) => arc.pool === pool)
    if (sharing.length > 1) return alone(sharing)
  }
  if (connectors.length > terms.connectorCount) {
    return connectors.map((connector) => arcs.filter(({ to }) => to === connector))
  }
  const leaving = arcs.filter(({ from }) => from === 0)
  if (leaving.length > terms.mainRouteParts) return alone(leaving)
  // A flow over so many arcs and tokens is the sum of this many paths.
  const paths = arcs.length - connectors.length
  if (paths > terms.parts || gas > terms.gasRoom) return alone(arcs)
  return undefined
}

function alone(arcs: readonly Arc[]): Arc[][] {
  return arcs.map((arc) => [arc])
}
