import type { Address } from '../config.ts'
import type { Pool } from '../pools/pool.ts'
import type { Candidates } from './candidates.ts'
import type { RouteLimits } from './routeLimits.ts'

export type RouteRequest = {
  sell: Address
  buy: Address
  /** Base units, after the partner fee. */
  amount: bigint
  limits: RouteLimits
}

/**
 * An acyclic flow. `tokens` are in topological order; `returns` is exact at the same block. Each pool is used
 * once, except pools with `after`: their later edges are quoted after the earlier ones.
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

export type Evidence = {
  candidates: Candidates
  /** In units of the bought token. */
  prices: readonly number[]
  /** Computes the bound on demand; the market must be the one of the search. */
  bound(): Bound
}

/** `value` is the dual value at the prices; undefined if it is the return. */
export type Bound = { value: number | undefined; over: 'market' | 'candidates' }
