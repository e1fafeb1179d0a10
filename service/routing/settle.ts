import type { Arc } from './candidates.ts'
import type { Edge } from './route.ts'
import type { Branch } from './split.ts'

/** Weights are millionths (contracts/ISwapRouter.sol, Hop). */
const million = 1_000_000

/** Below this share of its token a branch is not worth its hop. */
const leastShare = 1e-4

export type Settled =
  | { status: 'settled'; tokens: readonly number[]; edges: readonly Edge[]; returns: bigint }
  /** The arc's pool cannot fill its share. */
  | { status: 'unfilled'; arc: Arc }

/**
 * What a split really returns: each hop in its pool's own integers, in the order the router executes. `tokens` are the arcs'
 * indexes of tokens in topological order, and edges speak of places in that list.
 */
export function settle(amount: bigint, last: number, branches: readonly Branch[]): Settled {
  const live = withoutDust(branches, last)
  const tokens = orderTokens(live)
  const held = tokens.map((_, i) => (i === 0 ? amount : 0n))
  const edges: Edge[] = []

  for (const [from, token] of tokens.entries()) {
    const leaving = live.filter(({ arc }) => arc.from === token).sort(bySize)
    const start = held[from] ?? 0n
    let left = start
    for (const [i, { arc, share }] of leaving.entries()) {
      const weight = i === leaving.length - 1 ? 0 : Math.floor(share * million)
      const sold = weight === 0 ? left : (start * BigInt(weight)) / BigInt(million)
      const bought = sold === 0n ? 0n : arc.pool.quote(arc.sell, arc.buy, sold)
      if (bought === 0n) return { status: 'unfilled', arc }
      left -= sold
      const to = tokens.indexOf(arc.to)
      held[to] = (held[to] ?? 0n) + bought
      edges.push({ pool: arc.pool, from, to, weight, sold, bought })
    }
  }
  return { status: 'settled', tokens, edges, returns: held[held.length - 1] ?? 0n }
}

/** The largest branch comes last and takes the rest, so that rounding the others matters least. */
function bySize(a: Branch, b: Branch): number {
  return a.share - b.share || (a.arc.pool.address < b.arc.pool.address ? -1 : 1)
}

/** Branches of some size whose tokens are reached and lead on. The shares of a token sum to 1 again. */
function withoutDust(branches: readonly Branch[], last: number): Branch[] {
  let live = branches.filter(({ share }) => share >= leastShare)
  for (let size = -1; size !== live.length; ) {
    size = live.length
    const reached = new Set([0, ...live.map(({ arc }) => arc.to)])
    const leading = new Set([last, ...live.map(({ arc }) => arc.from)])
    live = live.filter(({ arc }) => reached.has(arc.from) && leading.has(arc.to))
  }
  const whole = (token: number) =>
    live.reduce((sum, { arc, share }) => (arc.from === token ? sum + share : sum), 0)
  return live.map(({ arc, share }) => ({ arc, share: share / whole(arc.from) }))
}

/** Each token after all that pay into it. */
function orderTokens(branches: readonly Branch[]): number[] {
  const waiting = new Set([0, ...branches.map(({ arc }) => arc.to)])
  const order: number[] = []
  while (waiting.size > 0) {
    const next = [...waiting].find(
      (token) => !branches.some(({ arc }) => arc.to === token && waiting.has(arc.from)),
    )
    if (next === undefined) throw new Error('A split holds a cycle.')
    order.push(next)
    waiting.delete(next)
  }
  return order
}
