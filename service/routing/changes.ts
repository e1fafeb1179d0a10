import { type Arc, arcGas } from './candidates.ts'
import { profitOf } from './dual.ts'
import { connected, type Spread, type Task } from './spread.ts'

/** Other arcs for a spread, and what they could leave more after gas at most, or about. */
export type Change = { arcs: readonly Arc[]; gain: number }

/**
 * Changes that promise something, the best first: an arc more, two more by way of another token, or one in the place of another.
 * A pool that is in use already changes places.
 */
export function findChanges(task: Task, spread: Spread, among: readonly Arc[]): Change[] {
  const { parts, returns } = spread
  const prices = Float64Array.from(spread.prices)
  const priceOf = (token: number) => prices[token] as number
  const used = parts.map(({ arc }) => arc)
  const unused = among.filter((arc) => !used.includes(arc))
  const last = task.tokenCount - 1
  const reached = new Set([0, last, ...used.map(({ to }) => to)])
  return [...additions(), ...detours(), ...replacements()]
    .filter(({ gain }) => gain > returns * negligible)
    .sort((a, b) => b.gain - a.gain)

  /** At the prices as they are, more could not be earned by it. */
  function additions(): Change[] {
    return unused.flatMap((arc) => {
      const fits = reached.has(arc.from) && reached.has(arc.to)
      return fits ? [{ arcs: withArcs(used, arc), gain: netGain(arc) }] : []
    })
  }

  function detours(): Change[] {
    const found: Change[] = []
    for (let token = 1; token < last; token++) {
      if (reached.has(token)) continue
      const paying = unused.filter(({ from, to }) => to === token && reached.has(from))
      const paid = unused.filter(({ from, to }) => from === token && reached.has(to))
      const low = Math.min(...paying.map(({ from, start }) => priceOf(from) / start))
      const high = Math.max(...paid.map(({ to, start }) => priceOf(to) * start))
      if (!(low < high)) continue
      // At any price of the token the two together could not earn more; the middle is a fair one.
      prices[token] = Math.sqrt(low * high)
      const [first, second] = [mostProfitable(paying), mostProfitable(paid)]
      found.push({ arcs: withArcs(used, first, second), gain: netGain(first) + netGain(second) })
    }
    return found
  }

  /** Gas is saved when another arc takes all that one sells, and what came after that is not needed any more. */
  function replacements(): Change[] {
    if (task.gasWorth === 0) return []
    return parts.flatMap(({ arc: old, sold }) => {
      const others = used.filter((arc) => arc !== old)
      return unused.flatMap((arc) => {
        if (arc.from !== old.from || !reached.has(arc.to)) return []
        const lost = priceOf(arc.from) * sold - priceOf(arc.to) * arc.curve.bought(sold)
        const arcs = connected(task, withArcs(others, arc))
        const saved = parts.reduce((sum, part) => (arcs.includes(part.arc) ? sum : sum + part.gas), 0)
        return [{ arcs, gain: (saved - arcGas(arc, sold)) * task.gasWorth - lost }]
      })
    })
  }

  function netGain(arc: Arc): number {
    return profitOf(arc, prices) - arcGas(arc, 0) * task.gasWorth
  }

  function mostProfitable(arcs: readonly Arc[]): Arc {
    return arcs.reduce((one, other) => (profitOf(other, prices) > profitOf(one, prices) ? other : one))
  }
}

/** Part of the returns that nothing is changed for. */
const negligible = 1e-8

function withArcs(arcs: readonly Arc[], ...joining: readonly Arc[]): readonly Arc[] {
  return [...arcs.filter(({ pool }) => !joining.some((arc) => arc.pool === pool)), ...joining]
}
