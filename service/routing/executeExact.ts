import type { Address } from '../config.ts'
import type { Pool } from '../pools/pool.ts'
import type { RoutingEdge } from './candidates.ts'
import type { Branch, Edge } from './route.ts'

/** contracts/ISwapRouter.sol: Branch, Hop */
const million = 1_000_000

/** Above, a pool does not take the remainder. */
const nearlyFull = 0.9

export type Weight = { arc: RoutingEdge; sold: number }

export type ExecutedSplit =
  | { status: 'settled'; tokens: readonly number[]; branches: readonly Branch[]; returns: bigint }
  | { status: 'unfilled'; arc: RoutingEdge }

/**
 * Executes a split in integer arithmetic and router order, one branch per group. `tokens` are in topological
 * order; edges index into them. A pool used again has the state after its earlier swaps, and pools that pay
 * from one balance pay no more than it together.
 */
export function executeExact(amount: bigint, groups: readonly (readonly Weight[])[]): ExecutedSplit {
  const tokens = orderTokens(groups.flat())
  const branches: Branch[] = []
  const paid = new Map<string, bigint>()
  let returns = 0n
  for (const { weight, amount: given, item } of divide(amount, groups, fromSource)) {
    const settled = settleBranch(given, tokens, item, paid)
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
  paid: Map<string, bigint>,
): { edges: Edge[]; returns: bigint } | { unfilled: RoutingEdge } {
  const held = tokens.map((_, i) => (i === 0 ? amount : 0n))
  const edges: Edge[] = []
  const swapped = new Map<Pool, Pool>()
  for (const [from, token] of tokens.entries()) {
    const leaving = parts.filter(({ arc }) => arc.from === token)
    for (const { weight, amount: sold, item } of divide(
      held[from] ?? 0n,
      leaving,
      ({ sold }) => sold,
      capacityOf,
    )) {
      const { pool, sell, buy } = item.arc
      const now = swapped.get(pool) ?? pool
      const bought = sold === 0n ? 0n : now.quote(sell, buy, sold)
      if (bought === 0n || !pays(now, buy, bought, paid)) return { unfilled: item.arc }
      const isShared = parts.some(({ arc }) => arc.pool === pool && arc !== item.arc)
      if (isShared && now.after) swapped.set(pool, now.after(sell, buy, sold))
      const to = tokens.indexOf(item.arc.to)
      held[to] = (held[to] ?? 0n) + bought
      edges.push({ pool, from, to, weight, sold, bought })
    }
  }
  return { edges, returns: held[held.length - 1] ?? 0n }
}

/** Adds a payment to those of the pool's balance, unless that holds less. */
function pays(pool: Pool, buy: Address, bought: bigint, paid: Map<string, bigint>): boolean {
  const reserve = pool.reserve?.(buy)
  if (reserve === undefined) return true
  const all = (paid.get(reserve.name) ?? 0n) + bought
  if (all > reserve.amount) return false
  paid.set(reserve.name, all)
  return true
}

/**
 * The largest item takes the remainder, where rounding matters least. Nearly full ones come first, as they
 * cannot take more.
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
