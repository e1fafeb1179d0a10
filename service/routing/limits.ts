import type { RoutingEdge } from './candidates.ts'
import type { Allocation, AllocationInput } from './optimizer/allocation.ts'
import { canShare } from './optimizer/sharedPools.ts'

export type Constraints = {
  /** Maximum paths, and maximum arcs from the sold token. */
  parts: number
  mainRouteParts: number
  connectorCount: number
  gasRoom: number
  /** True if pools may trade several pairs (optimizer/sharedPools.ts). */
  sharesPools: boolean
}

/** Groups of arcs of which at least `count` must go. */
export type Violation = { groups: readonly (readonly RoutingEdge[])[]; count: number }

export function isWithinLimits(spread: Allocation, task: AllocationInput, terms: Constraints): boolean {
  return findViolation(spread, task, terms) === undefined
}

/** Returns arcs that must go; undefined if the limits are met. */
export function findViolation(
  { parts, gas }: Pick<Allocation, 'parts' | 'gas'>,
  { tokenCount }: AllocationInput,
  terms: Constraints,
): Violation | undefined {
  const arcs = parts.map(({ arc }) => arc)
  const last = tokenCount - 1
  const connectors = [...new Set(arcs.map(({ to }) => to))].filter((token) => token !== last)

  const cycle = findCycle(arcs)
  if (cycle !== undefined) return { groups: cycle, count: 1 }
  const conflict = findConflict(arcs, terms)
  if (conflict !== undefined) return { groups: alone(conflict), count: 1 }
  if (connectors.length > terms.connectorCount) {
    const groups = connectors.map((connector) => arcs.filter(({ to }) => to === connector))
    return { groups, count: connectors.length - terms.connectorCount }
  }
  const leaving = arcs.filter(({ from }) => from === 0)
  if (leaving.length > terms.mainRouteParts) {
    return { groups: alone(leaving), count: leaving.length - terms.mainRouteParts }
  }
  // The number of paths in the flow.
  const paths = arcs.length - connectors.length
  if (paths > terms.parts) return { groups: alone(arcs), count: paths - terms.parts }
  return gas - sumL1Gas(arcs) > terms.gasRoom ? { groups: alone(arcs), count: 1 } : undefined
}

export function sumL1Gas(arcs: readonly RoutingEdge[]): number {
  return arcs.reduce((sum, { l1Gas }) => sum + l1Gas, 0)
}

/** Returns the arcs of a pool that cannot trade them all. */
export function findConflict(
  arcs: readonly RoutingEdge[],
  { sharesPools }: Pick<Constraints, 'sharesPools'>,
): readonly RoutingEdge[] | undefined {
  for (const { pool } of arcs) {
    const sharing = arcs.filter((arc) => arc.pool === pool)
    if (sharing.length > 1 && !(sharesPools && canShare(sharing))) return sharing
  }
  return undefined
}

function findCycle(arcs: readonly RoutingEdge[]): RoutingEdge[][] | undefined {
  const inner = onCycles(arcs)
  const [first] = inner
  if (first === undefined) return undefined
  // Every token has a predecessor: walking back repeats one.
  const tokens = [first.from]
  for (;;) {
    const to = tokens.at(-1) as number
    const { from } = inner.find((arc) => arc.to === to) as RoutingEdge
    const met = tokens.indexOf(from)
    tokens.push(from)
    if (met < 0) continue
    const cycle = tokens.slice(met)
    return cycle.slice(1).map((token, i) => arcs.filter((arc) => arc.from === token && arc.to === cycle[i]))
  }
}

function onCycles(arcs: readonly RoutingEdge[]): readonly RoutingEdge[] {
  const paid = new Set(arcs.map(({ to }) => to))
  const left = arcs.filter(({ from }) => paid.has(from))
  return left.length === arcs.length ? left : onCycles(left)
}

function alone(arcs: readonly RoutingEdge[]): RoutingEdge[][] {
  return arcs.map((arc) => [arc])
}
