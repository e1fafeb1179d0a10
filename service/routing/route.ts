import type { Address } from '../config.ts'
import type { Pool } from '../pools/pool.ts'

/** What is asked of the router. Limits are the request's own, with the defaults of the interface already filled in. */
export type RouteRequest = {
  sell: Address
  buy: Address
  /** What enters the route, in base units of `sell`: a partner fee is already off. */
  amount: bigint
  limits: RouteLimits
}

export type RouteLimits = {
  /** Connector tokens per path: 0, 1 or 2. */
  complexityLevel: number
  /** Pieces of the whole route, and branches that leave the source token. */
  parts: number
  mainRouteParts: number
  /** Distinct connector tokens in the whole route. */
  connectorCount: number
  /** Replaces the chain's own connectors. */
  connectors?: readonly Address[]
  /** Ids of sources that may be used. */
  sources: ReadonlySet<string>
  /** Pools that must not be used. */
  avoid?: ReadonlySet<Address>
  /** Wei per gas: what an edge costs is weighed against what it adds. 0 ignores gas. */
  gasPrice: bigint
  /** Most gas of the whole route. */
  gasLimit: bigint
}

/**
 * An acyclic flow from the sold token to the bought one. `tokens` are in topological order, `edges` grouped by `from` in that
 * order; `returns` is settled in each pool's own integer arithmetic and arrives on chain to the wei at the same block.
 */
export type Route = {
  tokens: readonly Address[]
  edges: readonly Edge[]
  amount: bigint
  returns: bigint
  /** Off-chain estimate of the whole transaction's gas. */
  gas: bigint
}

/** One hop: a share of what token `from` holds goes through `pool` into token `to`. Both are indexes into `tokens`. */
export type Edge = {
  pool: Pool
  from: number
  to: number
  /** Millionths of what `from` holds when its first edge runs, rounded down; 0 on its last edge, which takes the rest. */
  weight: number
  sold: bigint
  bought: bigint
}
