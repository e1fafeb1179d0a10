import type { Pool } from '../../pools/pool.ts'
import type { RoutingEdge } from '../candidates.ts'
import { type Constraints, findConflict, findViolation, isWithinLimits } from '../limits.ts'
import { type Allocation, type AllocationInput, allocate, isConnected, type Slice } from './allocation.ts'
import type { DualSolution } from './dual.ts'
import { applyMove, findChanges, isNegligible, type Move } from './moves.ts'

const maxTries = 24
/**
 * Part of an estimated loss that is certain: little where other trades of the same pool take over, at prices
 * that improve. Drops are solved before they are made.
 */
const certain = { alone: 0.9, shared: 0.2 }

/**
 * Splits the amount for the highest returns after gas; undefined if the limits cannot be met. The free split
 * drops arcs that do not pay for their gas; the best path gains arcs that do.
 */
export function split(
  task: AllocationInput,
  terms: Constraints,
  arcs: readonly RoutingEdge[],
  free: DualSolution,
  path: readonly RoutingEdge[],
  stop: () => boolean,
): Allocation | undefined {
  const whole = resolveConflicts(allocate(task, arcs, free.prices))
  if (whole && task.gasWorth === 0 && isWithinLimits(whole, task, terms)) return whole

  const shrunk = whole && shrink(whole)
  const seed = allocate(task, path, free.prices)
  const found = [shrunk && improve(shrunk, arcs), seed && improve(seed, arcs)]
  // Last, as a better arc may replace a doubtful one.
  const finished = found.map((one) => one && shrink(one, mayLose))
  return finished.reduce((best, one) => {
    return one && isWithinLimits(one, task, terms) && (best === undefined || isBetter(one, best)) ? one : best
  }, undefined)

  /** Of a pool's conflicting arcs goes the one without which all others return most. */
  function resolveConflicts(whole: Allocation | undefined): Allocation | undefined {
    let current = whole
    let usable = arcs
    for (;;) {
      const conflict = current && findConflict(arcsOf(current), terms)
      if (current === undefined || conflict === undefined || stop()) return current
      const { prices } = current
      const options = conflict.map((gone) => {
        const others = usable.filter((arc) => arc !== gone)
        return { others, spread: allocate(task, others, prices) }
      })
      const best = options.reduce((one, other) => (netOf(other.spread) > netOf(one.spread) ? other : one))
      usable = best.others
      current = best.spread
    }
  }

  function shrink(whole: Allocation, isLosing = losesSurely): Allocation | undefined {
    let current: Allocation | undefined = whole
    const proven = new Set<RoutingEdge>()
    while (current && !stop()) {
      const excess = findViolation(current, task, terms)
      const losses = rankLosses(current, excess?.groups ?? unproven(current, proven))
      const losing = excess ? losses : losses.filter(isLosing)
      const [cheapest] = losing
      if (cheapest === undefined) return current
      // Half at once: the next losses depend on what is gone.
      const many = losing.slice(0, Math.floor((excess ? excess.count : losing.length) / 2))
      const fewer: Allocation | undefined = many.length > 1 ? without(current, many) : undefined
      const next: Allocation | undefined =
        fewer && (excess || fewer.net > current.net) ? fewer : without(current, [cheapest])
      if (excess || (next && next.net > current.net)) current = next
      else for (const arc of cheapest.group) proven.add(arc)
    }
    return current
  }

  function without({ parts, prices }: Allocation, losses: readonly Loss[]): Allocation | undefined {
    const ending = new Set(losses.flatMap(({ ending }) => ending))
    const staying = parts.flatMap(({ arc }) => (ending.has(arc) ? [] : [arc]))
    return staying.length === 0 ? undefined : allocate(task, isConnected(task, staying), prices)
  }

  function unproven({ parts }: Allocation, proven: Set<RoutingEdge>): RoutingEdge[][] {
    if (task.gasWorth === 0) return []
    return parts.flatMap(({ arc }) => (proven.has(arc) ? [] : [[arc]]))
  }

  /**
   * Cheapest first, gas savings included. The loss of an arc is also that of those on its only path: costs
   * count it several times, so that small groups go first.
   */
  function rankLosses(
    { parts, losses }: Allocation,
    groups: readonly (readonly RoutingEdge[])[],
  ): readonly Loss[] {
    const lost = losses()
    const lossOf = new Map(parts.map(({ arc }, i) => [arc, lost[i] as number]))
    const gasOf = new Map(parts.map(({ arc, gas }) => [arc, gas]))
    const uses = new Map<Pool, number>()
    for (const { arc } of parts) uses.set(arc.pool, (uses.get(arc.pool) ?? 0) + 1)
    const degrees = countDegrees(parts)
    const ranked = groups.flatMap((group): Loss[] => {
      const ending = endWith(parts, group, degrees)
      if (ending.length === parts.length) return []
      const saved = sumOf(gasOf, ending) * task.gasWorth
      const isShared = group.some(({ pool }) => (uses.get(pool) as number) > 1)
      const least = sumOf(lossOf, group) * (isShared ? certain.shared : certain.alone)
      return [{ group, ending, cost: sumOf(lossOf, ending) - saved, leastCost: least - saved }]
    })
    return ranked.sort((a, b) => a.cost - b.cost)
  }

  /** The group, and the arcs that only it fed or that fed only it. */
  function endWith(
    parts: readonly Slice[],
    ended: readonly RoutingEdge[],
    counts: Degrees,
  ): readonly RoutingEdge[] {
    const [arc] = ended
    if (
      ended.length === 1 &&
      arc &&
      (counts.leaving[arc.from] as number) > 1 &&
      (counts.entering[arc.to] as number) > 1
    )
      return ended
    const [leaving, entering] = [counts.leaving.slice(), counts.entering.slice()]
    const gone = new Set(ended)
    const end = (isOver: (arc: RoutingEdge) => boolean) => {
      for (const { arc } of parts) if (isOver(arc)) gone.add(arc)
    }
    // Visits the arcs that it adds.
    for (const { from, to } of gone) {
      leaving[from] = (leaving[from] as number) - 1
      entering[to] = (entering[to] as number) - 1
      if (from > 0 && leaving[from] === 0) end((arc) => arc.to === from)
      if (to < task.tokenCount - 1 && entering[to] === 0) end((arc) => arc.from === to)
    }
    return gone.size === ended.length ? ended : parts.flatMap(({ arc }) => (gone.has(arc) ? [arc] : []))
  }

  function countDegrees(parts: readonly Slice[]): Degrees {
    const counts = { leaving: new Int32Array(task.tokenCount), entering: new Int32Array(task.tokenCount) }
    for (const { arc } of parts) {
      counts.leaving[arc.from] = (counts.leaving[arc.from] as number) + 1
      counts.entering[arc.to] = (counts.entering[arc.to] as number) + 1
    }
    return counts
  }

  function improve(seed: Allocation, among: readonly RoutingEdge[]): Allocation {
    let current = seed
    let tries = maxTries
    for (;;) {
      const better = findBetter(current, findChanges(task, current, among).slice(0, tries))
      if (better === undefined) return current
      current = better
    }

    function findBetter(current: Allocation, changes: readonly Move[]): Allocation | undefined {
      for (const change of changes) {
        if (stop()) return undefined
        tries--
        const other = allocate(task, applyMove(current, change), current.prices)
        const next = other && shrink(other)
        if (
          next &&
          isWithinLimits(next, task, terms) &&
          next.net > current.net + current.returns * isNegligible
        ) {
          return next
        }
      }
      return undefined
    }
  }
}

function sumOf(numbers: ReadonlyMap<RoutingEdge, number>, arcs: readonly RoutingEdge[]): number {
  return arcs.reduce((sum, arc) => sum + (numbers.get(arc) as number), 0)
}

function arcsOf({ parts }: Allocation): RoutingEdge[] {
  return parts.map(({ arc }) => arc)
}

function isBetter(one: Allocation, other: Allocation): boolean {
  return one.isBalanced === other.isBalanced ? one.net > other.net : one.isBalanced
}

function netOf(spread: Allocation | undefined): number {
  return spread?.net ?? Number.NEGATIVE_INFINITY
}

/** Dropping a group also ends the arcs that only it fed. */
type Loss = { group: readonly RoutingEdge[]; ending: readonly RoutingEdge[]; cost: number; leastCost: number }

const losesSurely = ({ cost }: Loss) => cost < 0
const mayLose = ({ leastCost }: Loss) => leastCost < 0

/** Arcs per token. */
type Degrees = { leaving: Int32Array; entering: Int32Array }
