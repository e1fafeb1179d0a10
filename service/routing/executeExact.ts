import type { RoutingEdge } from './candidates.ts'
import type { Branch, Edge } from './route.ts'

/** Weights are millionths (contracts/ISwapRouter.sol: Branch, Hop). */
const million = 1_000_000

/** Part of its capacity above which a pool is not given what rounding leaves. */
const nearlyFull = 0.9

/** How much of what its token holds goes through an arc, in any unit that the arcs of a token share. */
export type Weight = { arc: RoutingEdge; sold: number }

export type ExecutedSplit =
  | { status: 'settled'; tokens: readonly number[]; branches: readonly Branch[]; returns: bigint }
  /** The arc's pool cannot fill its part. */
  | { status: 'unfilled'; arc: RoutingEdge }

/**
 * What the groups of parts really return, each of them a branch of its own: every hop in its pool's own integers, in the order the
 * router executes. `tokens` are the arcs' indexes of tokens in topological order, and edges speak of places in that list.
 */
export function executeExact(amount: bigint, groups: readonly (readonly Weight[])[]): ExecutedSplit {
  const tokens = orderTokens(groups.flat())
  const branches: Branch[] = []
  let returns = 0n
  for (const { weight, amount: given, item } of divide(amount, groups, fromSource)) {
    const settled = settleBranch(given, tokens, item)
    if ('unfilled' in settled) return { status: 'unfilled', arc: settled.unfilled }
    branches.push({ weight, edges: settled.edges })
    returns += settled.returns
  }
  return { status: 'settled', tokens, branches, returns }
}

function settleBranch(
  amount: bigint,
  tokens: readonly number[],
  parts: readonly Weight[],
): { edges: Edge[]; returns: bigint } | { unfilled: RoutingEdge } {
  const held = tokens.map((_, i) => (i === 0 ? amount : 0n))
  const edges: Edge[] = []
  for (const [from, token] of tokens.entries()) {
    const leaving = parts.filter(({ arc }) => arc.from === token)
    for (const { weight, amount: sold, item } of divide(
      held[from] ?? 0n,
      leaving,
      ({ sold }) => sold,
      capacityOf,
    )) {
      const { pool, sell, buy } = item.arc
      const bought = sold === 0n ? 0n : pool.quote(sell, buy, sold)
      if (bought === 0n) return { unfilled: item.arc }
      const to = tokens.indexOf(item.arc.to)
      held[to] = (held[to] ?? 0n) + bought
      edges.push({ pool, from, to, weight, sold, bought })
    }
  }
  return { edges, returns: held[held.length - 1] ?? 0n }
}

/**
 * By weights as the router takes them. The largest comes last and takes the rest, so that rounding the others matters least; but one
 * that is nearly full only if all are, since it could not take more than its share.
 */
function divide<Item>(
  amount: bigint,
  items: readonly Item[],
  size: (item: Item) => number,
  capacity: (item: Item) => number = () => Number.POSITIVE_INFINITY,
) {
  const whole = items.reduce((sum, item) => sum + size(item), 0)
  let left = amount
  return items
    .map((item) => {
      const share = size(item) / whole
      return { item, share, isFull: share * Number(amount) > capacity(item) * nearlyFull }
    })
    .sort((a, b) => Number(b.isFull) - Number(a.isFull) || a.share - b.share)
    .map(({ item, share }, i) => {
      // The last pool gets the amounts that others cannot take.
      const part = Math.min(share, capacity(item) / Number(amount))
      const weight = i === items.length - 1 ? 0 : Math.max(1, Math.floor(part * million))
      const own = weight === 0 ? left : (amount * BigInt(weight)) / BigInt(million)
      left -= own
      return { item, weight, amount: own }
    })
}

function capacityOf({ arc }: Weight): number {
  return arc.curve.capacity
}

function fromSource(parts: readonly Weight[]): number {
  return parts.reduce((sum, { arc, sold }) => (arc.from === 0 ? sum + sold : sum), 0)
}

/** Each token after all that pay into it. */
function orderTokens(parts: readonly Weight[]): number[] {
  const waiting = new Set([0, ...parts.map(({ arc }) => arc.to)])
  const order: number[] = []
  while (waiting.size > 0) {
    const next = [...waiting].find(
      (token) => !parts.some(({ arc }) => arc.to === token && waiting.has(arc.from)),
    )
    if (next === undefined) throw new Error('A split holds a cycle.')
    order.push(next)
    waiting.delete(next)
  }
  return order
}
