import { boughtFor } from '../pools/curve.ts'
import { type Arc, arcGas, type Candidates } from './candidates.ts'
import type { Terms } from './split.ts'

/** A way without branches, with what it returns and what of that is left after gas. */
export type Path = { arcs: readonly Arc[]; returns: number; net: number }

/** A path as far as it was walked; `fills` until it meets a pool that cannot take all that reaches it. */
type Walk = { arcs: readonly Arc[]; returns: number; gas: number; fills: boolean }

/**
 * The ways through the candidates that keep within the terms, by the best pool of each step for all of `amount`; first those
 * whose pools can take it, and among them the one that leaves most after gas. More input never buys less, so no other pools
 * make a better way of the same tokens.
 */
export function findPaths(
  { tokens, arcs }: Candidates,
  amount: number,
  { complexityLevel, gasRoom, gasWorth }: Pick<Terms, 'complexityLevel' | 'gasRoom' | 'gasWorth'>,
): Path[] {
  const last = tokens.length - 1
  const leaving = tokens.map((_, i) => arcs.filter(({ from }) => from === i))
  const done: Walk[] = []
  walk(0, [0], { arcs: [], returns: amount, gas: 0, fills: true })
  return done
    .filter(({ gas }) => gas <= gasRoom)
    .map((path) => ({ ...path, net: path.returns - path.gas * gasWorth }))
    .sort((a, b) => Number(b.fills) - Number(a.fills) || b.net - a.net)

  function walk(token: number, visited: readonly number[], path: Walk) {
    for (const { arc, bought } of bestSteps(token, path.returns)) {
      if (visited.includes(arc.to)) continue
      const next = {
        arcs: [...path.arcs, arc],
        returns: bought,
        gas: path.gas + arcGas(arc, path.returns),
        fills: path.fills && path.returns <= arc.curve.capacity,
      }
      if (arc.to === last) done.push(next)
      else if (path.arcs.length < complexityLevel) walk(arc.to, [...visited, arc.to], next)
    }
  }

  /** To each token that can be reached, the arc that buys most for `sold`. */
  function bestSteps(token: number, sold: number): Iterable<{ arc: Arc; bought: number }> {
    const steps = new Map<number, { arc: Arc; bought: number }>()
    for (const arc of leaving[token] ?? []) {
      const bought = boughtFor(arc.curve, sold)
      if (bought > (steps.get(arc.to)?.bought ?? 0)) steps.set(arc.to, { arc, bought })
    }
    return steps.values()
  }
}
