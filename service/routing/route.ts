import type { Address } from '../config.ts'
import type { Pool } from '../pools/pool.ts'
import type { Candidates } from './candidates.ts'

export type RouteRequest = {
  sell: Address
  buy: Address
  /** Base units, after the partner fee. */
  amount: bigint
  limits: RouteLimits
}

export type RouteLimits = {
  /** Connectors per path: 0 or 1; 2 is unlimited. */
  complexityLevel: number
  /** Maximum paths, and branches from the sold token. */
  parts: number
  mainRouteParts: number
  /** Infinity is unlimited. */
  connectorCount: number
  connectors?: readonly Address[]
  sources: ReadonlySet<string>
  /** True to trade the native token only with pools that hold it. */
  excludesWrapping?: boolean
  avoid?: ReadonlySet<Address>
  /** Wei; 0 ignores gas. */
  gasPrice: bigint
  gasLimit: bigint
  /** True for branches that can fail alone. */
  apart: boolean
}

/**
 * An acyclic flow. `tokens` are in topological order; `returns` is exact at the same block. Each pool is used
 * once.
 */
export type Route = {
  tokens: readonly Address[]
  /** In execution order; they share neither pools nor intermediate tokens. */
  branches: readonly Branch[]
  /** Of all branches, by `from` in token order; wrapping is one edge. */
  edges: readonly Edge[]
  amount: bigint
  returns: bigint
  /** Estimate for the transaction. */
  gas: bigint
  evidence: Evidence
}

export type Branch = {
  /** Millionths of the amount, rounded down; the last branch has 0 and takes the rest. */
  weight: number
  /** By `from` in token order. */
  edges: readonly Edge[]
}

/** `from` and `to` are indexes into `tokens`. */
export type Edge = {
  pool: Pool
  from: number
  to: number
  /** Millionths of the branch's `from` tokens, rounded down; the last edge has 0 and takes the rest. */
  weight: number
  sold: bigint
  bought: bigint
}

/** Prices in units of the bought token. */
export type Evidence = { candidates: Candidates; prices: readonly number[] }
