import { independentGroups } from './branches.ts'
import { arcGas, type RoutingEdge } from './candidates.ts'
import { type DualSolution, solveDual } from './dual.ts'

/** What is to be spread, and what it costs to do so. */
export type AllocationInput = {
  tokenCount: number
  amount: number
  /** What one gas is worth in base units of the bought token. */
  gasWorth: number
  /** Gas of each branch beyond the first; undefined when all is one branch. */
  branchGas: number | undefined
}

/** How an amount is spread over arcs so that they return most: those of which each has a part worth the name. */
export type Allocation = {
  parts: readonly Slice[]
  prices: DualSolution['prices']
  returns: number
  gas: number
  /** What of the returns is left after gas. */
  net: number
  /** Per part, about what of the returns would be lost without it. */
  losses(): ArrayLike<number>
}

/** What goes through an arc, of the token that it leaves; and the gas of that. */
export type Slice = { arc: RoutingEdge; sold: number; gas: number }

/**
 * An arc below the first part of its token is not worth its hop, unless it earns more than the second part of the returns: when
 * all other pools are nearly sold out, the little that one of limited capacity takes may bring much. The third part is the least
 * that the router's weights can express.
 */
const leastShare = 1e-4
const leastEarned = 1e-7
const leastWeight = 1e-6
/** A ten-millionth of an amount on the wrong arc costs much less than that. */
const tolerance = 1e-7

/** Undefined when the arcs lead nowhere. */
export function allocate(
  task: AllocationInput,
  arcs: readonly RoutingEdge[],
  prices: ArrayLike<number>,
): Allocation | undefined {
  const clearing = solveDual(arcs, task.tokenCount, task.amount, prices, tolerance)
  const leaving = new Float64Array(task.tokenCount)
  const soldBy = (i: number) => clearing.sold[i] as number
  arcs.forEach(({ from }, i) => {
    leaving[from] = (leaving[from] as number) + soldBy(i)
  })
  const isWorthIt = ({ from }: RoutingEdge, i: number) => {
    const share = soldBy(i) / (leaving[from] as number)
    if (share > leastShare) return true
    return share >= leastWeight && (clearing.profits[i] as number) > clearing.value * leastEarned
  }
  const staying = isConnected(task, arcs.filter(isWorthIt))
  if (staying.length === 0) return undefined
  if (staying.length < arcs.length) return allocate(task, staying, clearing.prices)

  const parts = arcs.map((arc, i) => ({ arc, sold: soldBy(i), gas: arcGas(arc, soldBy(i)) }))
  const gas = parts.reduce((sum, part) => sum + part.gas, 0) + extraGas(task, parts)
  const { value, losses } = clearing
  return { parts, prices: clearing.prices, returns: value, gas, net: value - gas * task.gasWorth, losses }
}

function extraGas({ tokenCount, branchGas }: AllocationInput, parts: readonly Slice[]): number {
  return branchGas === undefined ? 0 : (independentGroups(parts, tokenCount - 1).length - 1) * branchGas
}

/** The arcs that lie on a way from the first token to the last. */
export function isConnected(
  { tokenCount }: AllocationInput,
  arcs: readonly RoutingEdge[],
): readonly RoutingEdge[] {
  const reached = new Set([0])
  const leading = new Set([tokenCount - 1])
  for (let size = -1; size !== reached.size + leading.size; ) {
    size = reached.size + leading.size
    for (const { from, to } of arcs) {
      if (reached.has(from)) reached.add(to)
      if (leading.has(to)) leading.add(from)
    }
  }
  return arcs.filter(({ from, to }) => reached.has(from) && leading.has(to))
}
