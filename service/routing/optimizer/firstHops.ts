import { edgeGas, type RoutingEdge } from '../candidates.ts'
import type { Constraints } from '../limits.ts'
import type { Allocation, AllocationInput } from './allocation.ts'
import { edgeProfit, solveDual } from './dual.ts'

/** Choices valued, each by one solve, and choices split. */
const [maxValued, maxSplit] = [24, 4]
/** Exchanges tried at the same prices: of the hops that profit least for those outside that profit most. */
const exchanged = 3
/** Relative to the returns. */
const isBetter = 1 + 1e-7
const tolerance = 1e-7

/**
 * Exchanges arcs out of the sold token where their number is limited: pruning drops one after another and
 * cannot take a drop back. At the prices of the best choice no other arc profits more than a chosen one (the
 * limited dual value is then what the choice returns), so arcs that do are tried instead.
 * `splitOf` splits the amount over some of the arcs.
 */
export function exchangeFirstHops(
  task: AllocationInput,
  { mainRouteParts }: Constraints,
  arcs: readonly RoutingEdge[],
  found: Allocation,
  splitOf: (arcs: readonly RoutingEdge[], prices: Float64Array) => Allocation | undefined,
  stop: () => boolean,
): Allocation {
  const own = arcs.filter(({ from }) => from === 0)
  const rest = arcs.filter(({ from }) => from > 0)
  const tried = new Set<string>()
  const places = new Map(own.map((arc, i) => [arc, i]))
  if (own.length <= mainRouteParts) return found
  let best = found
  let value = 0
  let splits = 0
  for (let isGoingOn = true; isGoingOn; ) {
    isGoingOn = false
    const chosen = best.parts.flatMap(({ arc }) => (arc.from === 0 ? [arc] : []))
    if (chosen.length < mainRouteParts) return best
    const options = listChoices(chosen, best.prices)
    if (options.length > 0 && value === 0) value = returnsOf(chosen)
    for (const option of options) {
      if (tried.size >= maxValued || splits >= maxSplit || stop()) return best
      const name = nameOf(option)
      if (tried.has(name)) continue
      tried.add(name)
      const other = returnsOf(option)
      if (other <= value * isBetter) continue
      splits++
      const next = splitOf([...option, ...rest], best.prices)
      if (next === undefined || next.net <= best.net) continue
      best = next
      value = other
      isGoingOn = true
      break
    }
  }
  return best

  function returnsOf(choice: readonly RoutingEdge[]): number {
    return solveDual([...choice, ...rest], task.tokenCount, task.amount, best.prices, tolerance).value
  }

  function nameOf(choice: readonly RoutingEdge[]): string {
    return choice
      .map((arc) => places.get(arc) as number)
      .sort((a, b) => a - b)
      .join()
  }

  /** The arcs that profit most, then exchanges of one. */
  function listChoices(chosen: readonly RoutingEdge[], prices: ArrayLike<number>): RoutingEdge[][] {
    const isChosen = new Set(chosen)
    const ranked = own
      .map((arc) => {
        const profit = edgeProfit(arc, prices)
        return { arc, net: profit > 0 ? profit - edgeGas(arc, 0) * task.gasWorth : 0 }
      })
      .sort((a, b) => b.net - a.net || (places.get(a.arc) as number) - (places.get(b.arc) as number))
    const inside = ranked.filter(({ arc }) => isChosen.has(arc)).reverse()
    const outside = ranked.filter(({ arc, net }) => !isChosen.has(arc) && net > (inside[0]?.net ?? 0))
    if (outside.length === 0) return []
    const swaps = outside.slice(0, exchanged).flatMap((entering) => {
      const leaving = inside.slice(0, exchanged).filter(({ net }) => net < entering.net)
      return leaving.map(({ arc }) => [...chosen.filter((one) => one !== arc), entering.arc])
    })
    return [ranked.slice(0, mainRouteParts).map(({ arc }) => arc), ...swaps]
  }
}
