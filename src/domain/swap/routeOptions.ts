import type { Address } from '../token/token.ts'

/**
 * How a route may be found: the parameters of interface 6.1 that are a user's to set, within `routeLimits`. A quote and the swap that
 * follows it carry the same. Absent means the service's own default.
 */
export type RouteOptions = {
  /** Ids of the liquidity sources to use. */
  protocols?: string[]
  excludedProtocols?: string[]
  /** Connector tokens per path. */
  complexityLevel?: number
  parts?: number
  mainRouteParts?: number
  /** The most gas that a route may take. */
  gasLimit?: number
  /** A count, or at least one and at most that many tokens that replace the service's own. */
  connectorTokens?: number | Address[]
  /** Wei. Only weighs routes: what is paid is the user's own node's word. */
  gasPrice?: bigint
  /** Partner fee on what is sold. */
  feeBps?: number
  /** Gets the partner fee. */
  referrer?: Address
}

/** The least and the most of each that the interface takes (service-interface, Limits). */
export const routeLimits = {
  complexityLevel: [0, 2],
  parts: [0, 50],
  mainRouteParts: [0, 10],
  gasLimit: [100_000, 11_500_000],
  connectorTokens: [0, 5],
  feeBps: [0, 300],
} as const

/**
 * The most that is offered for `gasLimit`. The interface takes more, and so do records and files that hold more; but with a quarter on
 * top, which the interface says to add to an estimate, and the wallet's fifth, that is more gas than the wallet signs (security.md,
 * threat 48).
 */
export const maxRouteGas = 3_000_000
