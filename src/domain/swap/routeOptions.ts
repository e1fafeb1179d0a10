import type { Address } from '../token/token.ts'

/** `direct`: Uniswap pools, through the user's RPC. */
export type SwapSource = 'service' | 'direct'

/** Parameters of API 6.1, the same for a quote and its swap. Absent: the service's default. */
export type RouteOptions = {
  /** Absent: the network's (`getSwapSource`). Direct swaps know `gasLimit` alone of those below. */
  source?: SwapSource
  protocols?: string[]
  excludedProtocols?: string[]
  complexityLevel?: number
  parts?: number
  mainRouteParts?: number
  /** Most gas of the whole swap, as estimated. */
  gasLimit?: number
  /** Count, or the tokens that replace the service's own. */
  connectorTokens?: number | Address[]
  /** Wei; only weighs routes. */
  gasPrice?: bigint
  feeBps?: number
  referrer?: Address
}

/** Limits of the service-interface. */
export const routeLimits = {
  complexityLevel: [0, 2],
  parts: [0, 50],
  mainRouteParts: [0, 10],
  gasLimit: [100_000, 11_500_000],
  connectorTokens: [0, 5],
  feeBps: [0, 300],
} as const

/**
 * Maximum offered. The API and records allow more, but with the API's quarter and the wallet's fifth on top
 * that exceeds the gas that the wallet signs (docs/security/threats.md, 48).
 */
export const maxRouteGas = 3_000_000
