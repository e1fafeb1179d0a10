import type { Address } from './token.ts'

/**
 * How a route may be found: the parameters of interface 6.1 that are a user's to set (service-interface, Limits). A quote and the
 * swap that follows it carry the same. Absent means the service's own default.
 */
export type RouteOptions = {
  /** Ids of the liquidity sources to use. */
  protocols?: string[]
  excludedProtocols?: string[]
  /** Connector tokens per path, 0 to 2. */
  complexityLevel?: number
  /** 0 to 50. */
  parts?: number
  /** 0 to 10. */
  mainRouteParts?: number
  /** The most gas that a route may take: 100,000 to 11,500,000. */
  gasLimit?: number
  /** A count of 0 to 5, or at most five tokens that replace the service's own. */
  connectorTokens?: number | Address[]
  /** Wei. Only weighs routes: what is paid is the user's own node's word. */
  gasPrice?: bigint
  /** Partner fee on what is sold, 0 to 300 (3 %). */
  feeBps?: number
  /** Gets the partner fee. */
  referrer?: Address
}
