import { edgeGas, type RoutingEdge } from '../candidates.ts'
import { independentGroups } from './branches.ts'
import { type DualSolution, solveDual } from './dual.ts'
import { solveShared } from './sharedPools.ts'

export type AllocationInput = {
  tokenCount: number
  amount: number
  /** In base units of the bought token. */
  gasWorth: number
  /** Undefined if there is only one branch. */
  branchGas: number | undefined
}

/** The split of an amount with the highest returns. */
export type Allocation = {
  parts: readonly Slice[]
  prices: DualSolution['prices']
  returns: number
  gas: number
  net: number
  /** False if the parts do not sell the amount, so that they do not bring the returns either. */
  isBalanced: boolean
  /** Approximate returns lost without each part. */
  losses(): ArrayLike<number>
}

export type Slice = { arc: RoutingEdge; sold: number; gas: number }

/**
 * Minimum share of a token's outflow, unless the arc earns `minEarned` of the returns. `minWeight` is the
 * smallest router weight.
 */
const minShare = 1e-4
const minEarned = 1e-7
const minWeight = 1e-6
const tolerance = 1e-7
/** Of the returns. */
const maxImbalance = 1e-4

/** Splits the amount; undefined if no path remains. */
export function allocate(
  task: AllocationInput,
  arcs: readonly RoutingEdge[],
  prices: ArrayLike<number>,
): Allocation | undefined {
  const { tokenCount, amount } = task
  const free = solveDual(arcs, tokenCount, amount, prices, tolerance)
  // Before any arc goes: those without a sale beside a pool's unused pairs may sell beside its used ones.
  const { clearing, returns } = solveShared(arcs, tokenCount, amount, free, tolerance)
  const staying = keepWorthy(task, arcs, clearing)
  if (staying.length === 0) return undefined
  if (staying.length < arcs.length) return allocate(task, staying, clearing.prices)

  const { sold, losses } = clearing
  const parts = arcs.map((arc, i) => {
    return { arc, sold: sold[i] as number, gas: edgeGas(arc, sold[i] as number) }
  })
  const gas = parts.reduce((sum, part) => sum + part.gas, 0) + extraGas(task, parts)
  const isBalanced = clearing.imbalance <= maxImbalance
  return {
    parts,
    prices: clearing.prices,
    returns,
    gas,
    net: returns - gas * task.gasWorth,
    isBalanced,
    losses,
  }
}

function keepWorthy(
  task: AllocationInput,
  arcs: readonly RoutingEdge[],
  clearing: DualSolution,
): readonly RoutingEdge[] {
  const leaving = new Float64Array(task.tokenCount)
  const soldBy = (i: number) => clearing.sold[i] as number
  arcs.forEach(({ from }, i) => {
    leaving[from] = (leaving[from] as number) + soldBy(i)
  })
  const isWorthIt = ({ from }: RoutingEdge, i: number) => {
    const share = soldBy(i) / (leaving[from] as number)
    if (share > minShare) return true
    return share >= minWeight && (clearing.profits[i] as number) > clearing.value * minEarned
  }
  return isConnected(task, arcs.filter(isWorthIt))
}

function extraGas({ tokenCount, branchGas }: AllocationInput, parts: readonly Slice[]): number {
  return branchGas === undefined ? 0 : (independentGroups(parts, tokenCount - 1).length - 1) * branchGas
}

/** Returns the arcs on a path from the first token to the last. */
export function isConnected(
  { tokenCount }: AllocationInput,
  arcs: readonly RoutingEdge[],
): readonly RoutingEdge[] {
  const reached = new Uint8Array(tokenCount)
  const leading = new Uint8Array(tokenCount)
  reached[0] = leading[tokenCount - 1] = 1
  for (let before = 0, met = 2; met > before; ) {
    before = met
    for (const { from, to } of arcs) {
      met += mark(reached, from, to) + mark(leading, to, from)
    }
  }
  return arcs.filter(({ from, to }) => reached[from] === 1 && leading[to] === 1)
}

/** Marks a token next to a marked one; returns the number of new marks. */
function mark(marks: Uint8Array, token: number, next: number): number {
  if (marks[token] === 0 || marks[next] === 1) return 0
  marks[next] = 1
  return 1
}
