import { type Arc, arcGas, type Candidates } from './candidates.ts'
import type { Terms } from './split.ts'

/** A way without branches, with what it returns and what of that is left after gas. */
export type Path = { arcs: readonly Arc[]; returns: number; net: number }

/** A path as far as it was walked; `fills` until it meets a pool that cannot take all that reaches it. */
type Walk = { arcs: readonly Arc[]; returns: number; gas: number; fills: boolean }

/**
 * The ways through the candidates that keep within the terms, each step by a pool that no other surpasses for all of `amount`;
 * first those whose pools can take it, and among them the one that leaves most after gas. More input never buys less, so no
 * other pools make a better way of the same tokens.
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
    for (const { arc, bought, gas, fills } of steps(token, path.returns)) {
      if (visited.includes(arc.to)) continue
      const arcs = [...path.arcs, arc]
      const next = { arcs, returns: bought, gas: path.gas + gas, fills: path.fills && fills }
      if (arc.to === last) done.push(next)
      else if (path.arcs.length < complexityLevel) walk(arc.to, [...visited, arc.to], next)
    }
  }

  /** The arcs that could be a path's next: no other to the same token takes as much, for as little gas, and buys as much. */
  function steps(token: number, sold: number): Step[] {
    const found: Step[] = []
    for (const arc of leaving[token] ?? []) {
      const bought = arc.curve.bought(sold)
      if (bought > 0) found.push({ arc, bought, gas: arcGas(arc, sold), fills: sold <= arc.curve.capacity })
    }
    return found.filter((step, i) => !found.some((other, j) => surpasses(other, step, j < i)))
  }
}

type Step = { arc: Arc; bought: number; gas: number; fills: boolean }

/** Of two that are alike, the earlier one. */
function surpasses(one: Step, other: Step, isEarlier: boolean): boolean {
  if (one.arc.to !== other.arc.to || one.bought < other.bought || one.gas > other.gas) return false
  if (one.fills !== other.fills) return one.fills
  return isEarlier || one.bought > other.bought || one.gas < other.gas
}
