import type { Address } from '../config.ts'
import type { Pool } from '../pools/pool.ts'
import type { Candidates } from './candidates.ts'

/** What is asked of the router. Limits are the request's own, with the defaults of the interface already filled in. */
export type RouteRequest = {
  sell: Address
  buy: Address
  /** What enters the route, in base units of `sell`: a partner fee is already off. */
  amount: bigint
  limits: RouteLimits
}

export type RouteLimits = {
  /** Most connector tokens on a path, 0 or 1; 2 is no bound. */
  complexityLevel: number
  /** Pieces of the whole route, and branches that leave the source token. */
  parts: number
  mainRouteParts: number
  /** Most distinct connector tokens in the whole route; Infinity is no bound. */
  connectorCount: number
  /** Replaces the chain's own connectors. */
  connectors?: readonly Address[]
  /** Ids of sources that may be used. */
  sources: ReadonlySet<string>
  /** Bars wrapping and unwrapping: the native token is only traded by pools that hold it. */
  excludesWrapping?: boolean
  /** Pools that must not be used. */
  avoid?: ReadonlySet<Address>
  /** Wei per gas: what an edge costs is weighed against what it adds. 0 ignores gas. */
  gasPrice: bigint
  /** Most gas of the whole route. */
  gasLimit: bigint
  /** Whether the route falls apart into as many branches as it has, so that each can fail alone. */
  apart: boolean
}

/**
 * An acyclic flow from the sold token to the bought one. `tokens` are in topological order; `returns` is settled in each pool's own
 * integer arithmetic and arrives on chain to the wei at the same block. A pool is used once at most.
 */
export type Route = {
  tokens: readonly Address[]
  /** What the router executes, in order: one branch, or several that share neither a pool nor a token on the way. */
  branches: readonly Branch[]
  /** The hops of all branches, grouped by `from` in the order of the tokens; the coin is wrapped and unwrapped once. */
  edges: readonly Edge[]
  amount: bigint
  returns: bigint
  /** Off-chain estimate of the whole transaction's gas. */
  gas: bigint
  /** What `certify` needs. */
  evidence: Evidence
}

export type Branch = {
  /** Millionths of the route's amount, rounded down; 0 on the last branch, which takes the rest. */
  weight: number
  /** Grouped by `from` in the order of the tokens. */
  edges: readonly Edge[]
}

/** One hop: a share of what token `from` holds goes through `pool` into token `to`. Both are indexes into `tokens`. */
export type Edge = {
  pool: Pool
  from: number
  to: number
  /** Millionths of what its branch has of `from` when its first edge runs, rounded down; 0 on its last, which takes the rest. */
  weight: number
  sold: bigint
  bought: bigint
}

/** Where the route was looked for, and a price of each token there, in units of the bought one. */
export type Evidence = { candidates: Candidates; prices: readonly number[] }
