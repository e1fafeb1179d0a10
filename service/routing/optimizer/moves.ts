import { edgeGas, type RoutingEdge } from '../candidates.ts'
import { type Allocation, type AllocationInput, isConnected, type Slice } from './allocation.ts'
import { edgeProfit } from './dual.ts'
import { canShare } from './sharedPools.ts'

export type Move = { joining: readonly RoutingEdge[]; leaving: RoutingEdge | undefined; gain: number }

/** Relative to the returns. */
export const isNegligible = 1e-8

/** Returns promising changes, best first: an arc more, a detour over a new token, or a replacement. */
export function findChanges(
  task: AllocationInput,
  spread: Allocation,
  among: readonly RoutingEdge[],
): Move[] {
  const { parts, returns } = spread
  const prices = Float64Array.from(spread.prices)
  const priceOf = (token: number) => prices[token] as number
  const used = parts.map(({ arc }) => arc)
  const isUsed = new Set(used)
  const unused = among.filter((arc) => !isUsed.has(arc))
  const outOf = groupArcs(unused, ({ from }) => from)
  const into = groupArcs(unused, ({ to }) => to)
  const entering = new Int32Array(task.tokenCount)
  for (const { to } of used) entering[to] = (entering[to] as number) + 1
  const last = task.tokenCount - 1
  const reached = new Set([0, last, ...used.map(({ to }) => to)])
  const found: Move[] = []
  add()
  detour()
  if (task.gasWorth > 0) for (const part of parts) replace(part)
  return found.sort((a, b) => b.gain - a.gain)

  function consider(joining: readonly RoutingEdge[], leaving: RoutingEdge | undefined, gain: number): void {
    if (gain > returns * isNegligible) found.push({ joining, leaving, gain })
  }

  function add(): void {
    for (const arc of unused) {
      if (reached.has(arc.from) && reached.has(arc.to)) consider([arc], undefined, netGain(arc))
    }
  }

  function detour(): void {
    for (let token = 1; token < last; token++) {
      if (reached.has(token)) continue
      const paying = (into.get(token) ?? []).filter(({ from }) => reached.has(from))
      const paid = (outOf.get(token) ?? []).filter(({ to }) => reached.has(to))
      const low = Math.min(...paying.map(({ from, start }) => priceOf(from) / start))
      const high = Math.max(...paid.map(({ to, start }) => priceOf(to) * start))
      if (!(low < high)) continue
      // Any price gives an upper bound of the gain.
      prices[token] = Math.sqrt(low * high)
      const [first, second] = [mostProfitable(paying), mostProfitable(paid)]
      consider([first, second], undefined, netGain(first) + netGain(second))
    }
  }

  /** Also saves the gas of arcs that only this one supplied. */
  function replace({ arc: old, sold, gas }: Slice): void {
    const saved = (entering[old.to] as number) > 1 || old.to === last ? gas : gasSuppliedBy(old)
    const worth = priceOf(old.from) * sold
    const most = worth - saved * task.gasWorth
    for (const arc of outOf.get(old.from) ?? []) {
      // Returns are concave: at most those at the first price.
      if (priceOf(arc.to) * arc.start * sold <= most || !reached.has(arc.to)) continue
      const brought = priceOf(arc.to) * arc.curve.bought(sold)
      if (brought > most) consider([arc], old, brought - most - edgeGas(arc, sold) * task.gasWorth)
    }
  }

  function gasSuppliedBy(old: RoutingEdge): number {
    const others = used.filter((arc) => arc !== old)
    const staying = new Set(isConnected(task, [...others, { ...old, to: last }]))
    return parts.reduce((sum, { arc, gas }) => (staying.has(arc) ? sum : sum + gas), 0)
  }

  function netGain(arc: RoutingEdge): number {
    const profit = edgeProfit(arc, prices)
    return profit > 0 ? profit - edgeGas(arc, 0) * task.gasWorth : 0
  }

  function mostProfitable(arcs: readonly RoutingEdge[]): RoutingEdge {
    return arcs.reduce((one, other) => (edgeProfit(other, prices) > edgeProfit(one, prices) ? other : one))
  }
}

function groupArcs(
  arcs: readonly RoutingEdge[],
  tokenOf: (arc: RoutingEdge) => number,
): Map<number, RoutingEdge[]> {
  const groups = new Map<number, RoutingEdge[]>()
  for (const arc of arcs) {
    const own = groups.get(tokenOf(arc))
    if (own) own.push(arc)
    else groups.set(tokenOf(arc), [arc])
  }
  return groups
}

/** Returns the arcs after a change; a pool that joins leaves its former place if it cannot trade both. */
export function applyMove({ parts }: Allocation, { joining, leaving }: Move): RoutingEdge[] {
  const staying = parts.flatMap(({ arc }) => {
    return arc === leaving || joining.some((other) => other.pool === arc.pool && !canShare([arc, other]))
      ? []
      : [arc]
  })
  return [...staying, ...joining]
}
