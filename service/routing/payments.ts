import type { Address } from '../config.ts'
import type { Pool } from '../pools/pool.ts'
import { nativeTokenAddress } from '../tokens/registry.ts'
import type { Edge, Route } from './route.ts'

/**
 * A hop with who pays its pool and whom it pays (contracts/SwapRouter.sol). A payer `pool` is the pool of the
 * hop before, which pays this one directly.
 */
export type HopPayment = {
  edge: Edge
  /** contracts/ISwapRouter.sol */
  kind: number
  payer: 'sender' | 'router' | 'pool'
  payee: 'recipient' | 'router' | Pool
  /** False where a token of the branch is split or joined. */
  onPath: boolean
}

const [v2Kind, solidlyKind] = [2, 5]

/** Returns all hops in the order of execution. */
export function paymentsOf(route: Pick<Route, 'tokens' | 'branches'>): HopPayment[] {
  return route.branches.flatMap(({ edges }) => paymentsAlong(route, edges))
}

function paymentsAlong({ tokens }: Pick<Route, 'tokens'>, edges: readonly Edge[]): HopPayment[] {
  const last = tokens.length - 1
  const onPath = isPath(edges, last)
  const kinds = edges.map(
    ({ pool, from, to }) => pool.encode(tokens[from] as Address, tokens[to] as Address).kind,
  )
  const isDirect = (i: number) => onPath && (kinds[i] === v2Kind || kinds[i] === solidlyKind) && i > 0
  return edges.map((edge, i) => {
    const kind = kinds[i] as number
    const next = edges[i + 1]
    return {
      edge,
      kind,
      onPath,
      payer: isDirect(i) ? 'pool' : edge.from === 0 && tokens[0] !== nativeTokenAddress ? 'sender' : 'router',
      payee: payeeOf(edge, isDirect(i + 1) ? next : undefined),
    }
  })

  function payeeOf({ to }: Edge, next: Edge | undefined): HopPayment['payee'] {
    if (to === last && tokens[last] !== nativeTokenAddress) return 'recipient'
    return next === undefined ? 'router' : next.pool
  }
}

/** The router's rule: each token is sold by one hop, to the next hop's token. */
function isPath(edges: readonly Edge[], last: number): boolean {
  const ends = edges.map(({ to }) => to)
  return (
    ends.at(-1) === last && edges.every(({ from, weight }, i) => from === (ends[i - 1] ?? 0) && weight === 0)
  )
}
