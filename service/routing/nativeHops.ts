import type { Address } from '../config.ts'
import type { Pool } from '../pools/pool.ts'
import { nativeTokenAddress } from '../tokens/registry.ts'
import type { Branch, Edge } from './route.ts'

/** contracts/Route.sol */
const million = 1_000_000n

/** A route of the graph, in which the wrapped token stands for the native one as well. */
export type GraphRoute = { tokens: readonly Address[]; branches: readonly Branch[] }

export type NativeEnds = {
  /** The pool of the wrapped token. */
  coin: Pool
  sellsCoin: boolean
  buysCoin: boolean
}

type Hop = Pick<Edge, 'pool' | 'sold'> & { sell: Address; buy: Address }

/** True if a pool of the route trades the native token without wrapping. */
export function tradesNative({ branches }: GraphRoute): boolean {
  return branches.some(({ edges }) => edges.some(({ pool }) => pool.isNative))
}

/**
 * Names the native token where pools trade it, wraps or unwraps what the others need, and executes the route
 * exactly again. Undefined if a pool cannot fill its part, which rounding changes by millionths.
 */
export function withNativeHops(
  amount: bigint,
  route: GraphRoute,
  ends: NativeEnds,
): { tokens: readonly Address[]; branches: readonly Branch[]; returns: bigint } | undefined {
  const wrapped = ends.coin.address
  const order = orderOf(route, ends)
  const tokens = route.tokens.flatMap((token) => (token === wrapped ? order : [token]))
  const parts = divide(
    amount,
    route.branches.map(({ weight }) => weight),
  )
  const settled = route.branches.map(({ weight, edges }, i) => {
    const hops = hopsOf(route, edges, ends, order)
    return settle(parts[i] as bigint, tokens, hops, weight)
  })
  if (settled.some((branch) => branch === undefined)) return undefined
  const done = settled as Settled[]
  const used = new Set(done.flatMap(({ branch }) => branch.edges.flatMap(({ from, to }) => [from, to])))
  const places = tokens.map((_, i) => [...used].filter((other) => other < i).length)
  return {
    tokens: tokens.filter((_, i) => used.has(i)),
    branches: done.map(({ branch: { weight, edges } }) => ({
      weight,
      edges: edges.map((edge) => ({
        ...edge,
        from: places[edge.from] as number,
        to: places[edge.to] as number,
      })),
    })),
    returns: done.reduce((sum, { returns }) => sum + returns, 0n),
  }
}

/** The native and the wrapped token: the one that the route converts first. */
function orderOf(
  { tokens, branches }: GraphRoute,
  { coin, sellsCoin, buysCoin }: NativeEnds,
): [Address, Address] {
  const wrapped = coin.address
  const wrapping: [Address, Address] = [nativeTokenAddress, wrapped]
  const unwrapping: [Address, Address] = [wrapped, nativeTokenAddress]
  const place = tokens.indexOf(wrapped)
  if (place === 0) return sellsCoin ? wrapping : unwrapping
  if (place === tokens.length - 1) return buysCoin ? unwrapping : wrapping
  const edges = branches.flatMap((branch) => branch.edges).filter(({ pool }) => pool.isNative)
  const inflow = edges.reduce((sum, { to, bought }) => (to === place ? sum + bought : sum), 0n)
  const outflow = edges.reduce((sum, { from, sold }) => (from === place ? sum + sold : sum), 0n)
  return inflow >= outflow ? wrapping : unwrapping
}

/** The hops with the names of what they trade, and a conversion if amounts differ by more than rounding. */
function hopsOf(
  { tokens }: GraphRoute,
  edges: readonly Edge[],
  { coin, sellsCoin, buysCoin }: NativeEnds,
  [first, second]: readonly [Address, Address],
): Hop[] {
  const wrapped = coin.address
  const nameOf = (token: Address, { isNative }: Pool) =>
    token === wrapped && isNative ? nativeTokenAddress : token
  const hops = edges.map(({ pool, from, to, sold, bought }) => {
    const [sell, buy] = [tokens[from] as Address, tokens[to] as Address]
    return { pool, sell: nameOf(sell, pool), buy: nameOf(buy, pool), sold, bought }
  })
  const source = tokens[0] === wrapped
  const target = tokens.at(-1) === wrapped
  const given = source ? hops.filter(({ sell }) => sell === first || sell === second) : []
  const startsFirst = source && (sellsCoin ? nativeTokenAddress : wrapped) === first
  const endsSecond = target && (buysCoin ? nativeTokenAddress : wrapped) === second
  const sum = (some: readonly { sold?: bigint; bought?: bigint }[], of: 'sold' | 'bought') =>
    some.reduce((total, hop) => total + (hop[of] ?? 0n), 0n)
  const has = startsFirst
    ? sum(given, 'sold')
    : sum(
        hops.filter(({ buy }) => buy === first),
        'bought',
      )
  const sold = sum(
    hops.filter(({ sell }) => sell === first),
    'sold',
  )
  const needsSecond = endsSecond || hops.some(({ sell }) => sell === second)
  const rest = has - sold
  // The last hop of `first` takes the rest that rounding leaves.
  const converts = needsSecond && rest > 0n && (sold === 0n || rest * million > has)
  return converts ? [...hops, { pool: coin, sell: first, buy: second, sold: rest }] : hops
}

type Settled = { branch: Branch; returns: bigint }

/** Executes hops as the router does, by sold token in the order of `tokens`; the last takes the rest. */
function settle(
  amount: bigint,
  tokens: readonly Address[],
  hops: readonly Hop[],
  weight: number,
): Settled | undefined {
  const traded = new Set(hops.map(({ sell }) => sell))
  const start = tokens.findIndex((token) => traded.has(token))
  const held = tokens.map((_, i) => (i === start ? amount : 0n))
  const swapped = new Map<Pool, Pool>()
  const edges: Edge[] = []
  for (const [from, token] of tokens.entries()) {
    const leaving = hops.filter(({ sell }) => sell === token)
    const whole = leaving.reduce((sum, { sold }) => sum + sold, 0n)
    const weights = leaving.map(({ sold }, i) => (i === leaving.length - 1 ? 0 : weightOf(sold, whole)))
    const parts = divide(held[from] as bigint, weights)
    for (const [i, { pool, sell, buy }] of leaving.entries()) {
      const sold = parts[i] as bigint
      const now = swapped.get(pool) ?? pool
      const bought = sold > 0n ? now.quote(sell, buy, sold) : 0n
      if (bought === 0n) return undefined
      if (now.after && hops.some((hop) => hop.pool === pool && hop !== leaving[i])) {
        swapped.set(pool, now.after(sell, buy, sold))
      }
      const to = tokens.indexOf(buy)
      held[to] = (held[to] as bigint) + bought
      edges.push({ pool, from, to, weight: weights[i] as number, sold, bought })
    }
  }
  return { branch: { weight, edges }, returns: held.at(-1) as bigint }
}

function weightOf(sold: bigint, whole: bigint): number {
  const weight = Number((sold * million) / whole)
  return Math.min(Math.max(weight, 1), Number(million) - 1)
}

/** Millionths rounded down; weight 0 takes the rest. */
function divide(amount: bigint, weights: readonly number[]): bigint[] {
  let left = amount
  return weights.map((weight) => {
    const own = weight === 0 ? left : (amount * BigInt(weight)) / million
    left -= own
    return own
  })
}
