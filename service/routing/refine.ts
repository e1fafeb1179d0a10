import { connected, type Part, type Spread, spread, type Task } from './allocation.ts'
import type { Arc } from './candidates.ts'
import type { Clearing } from './dual.ts'
import { findExcess, fits, type Terms } from './limits.ts'
import { type Change, changed, findChanges, negligible } from './moves.ts'

/** The most changes that are tried on a spread. */
const mostTries = 24

/**
 * Spreads the amount over the arcs so that most remains after gas. The price of gas and the limits make it a matter of choosing
 * arcs, which is searched from both ends: the freest spread loses what does not pay for itself, and the best path gains what does.
 * Undefined when neither keeps within the terms.
 */
export function split(
  task: Task,
  terms: Terms,
  arcs: readonly Arc[],
  free: Clearing,
  path: readonly Arc[],
  stop: () => boolean,
): Spread | undefined {
  const whole = spread(task, arcs, free.prices)
  if (whole && task.gasWorth === 0 && fits(whole, task, terms)) return whole

  const shrunk = whole && shrink(whole)
  const seed = spread(task, path, free.prices)
  const found = [shrunk && improve(shrunk, arcs), seed && improve(seed, arcs)]
  return found.reduce((best, one) => {
    return one && fits(one, task, terms) && (best === undefined || one.net > best.net) ? one : best
  }, undefined)

  /** Drops arcs while the terms are overstepped, and then while that leaves more after gas. */
  function shrink(whole: Spread): Spread | undefined {
    let current: Spread | undefined = whole
    const proven = new Set<Arc>()
    while (current && !stop()) {
      const excess = findExcess(current, task, terms)
      const loss = cheapestLoss(current, excess ?? unproven(current, proven))
      if (!loss || (!excess && loss.cost >= 0)) return current
      const next: Spread | undefined = spread(task, loss.staying, current.prices)
      if (excess || (next && next.net > current.net)) current = next
      else for (const arc of loss.group) proven.add(arc)
    }
    return current
  }

  function unproven({ parts }: Spread, proven: Set<Arc>): Arc[][] {
    if (task.gasWorth === 0) return []
    return parts.flatMap(({ arc }) => (proven.has(arc) ? [] : [[arc]]))
  }

  /** The group of arcs whose end costs least, gas saved being a gain. Undefined when each of them is the last way. */
  function cheapestLoss({ parts, losses }: Spread, groups: readonly (readonly Arc[])[]): Loss | undefined {
    const lost = losses()
    const costs = new Map(parts.map(({ arc, gas }, i) => [arc, (lost[i] as number) - gas * task.gasWorth]))
    const sum = (arcs: readonly Arc[]) => arcs.reduce((total, arc) => total + (costs.get(arc) as number), 0)
    let least: Loss | undefined
    for (const group of groups) {
      const ending = endWith(parts, group)
      const cost = sum(ending)
      if (ending.length === parts.length || (least && least.cost <= cost)) continue
      least = { group, staying: parts.flatMap(({ arc }) => (ending.includes(arc) ? [] : [arc])), cost }
    }
    return least
  }

  /** What is of no use any more without these arcs, themselves included. */
  function endWith(parts: readonly Part[], ended: readonly Arc[]): readonly Arc[] {
    const others = parts.flatMap(({ arc }) => (ended.includes(arc) ? [] : [arc]))
    const isNeeded = (token: number, end: 'from' | 'to') => others.some((arc) => arc[end] === token)
    if (ended.every(({ from, to }) => isNeeded(from, 'from') && isNeeded(to, 'to'))) return ended
    const staying = connected(task, others)
    return parts.flatMap(({ arc }) => (staying.includes(arc) ? [] : [arc]))
  }

  /** Makes the most promising changes that leave more after gas, until none does. */
  function improve(seed: Spread, among: readonly Arc[]): Spread {
    let current = seed
    let tries = mostTries
    for (;;) {
      const better = findBetter(current, findChanges(task, current, among).slice(0, tries))
      if (better === undefined) return current
      current = better
    }

    function findBetter(current: Spread, changes: readonly Change[]): Spread | undefined {
      for (const change of changes) {
        if (stop()) return undefined
        tries--
        const other = spread(task, changed(current, change), current.prices)
        const next = other && shrink(other)
        if (next && fits(next, task, terms) && next.net > current.net + current.returns * negligible) {
          return next
        }
      }
      return undefined
    }
  }
}

type Loss = { group: readonly Arc[]; staying: readonly Arc[]; cost: number }
