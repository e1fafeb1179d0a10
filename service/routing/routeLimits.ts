import type { Address } from '../config.ts'

/** Limits of a request to the search. */
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
  /** Pools of the wrapped token must hold the native one, or must not: nothing is converted. */
  unconverted?: { wrapped: Address; isNative: boolean }
  avoid?: ReadonlySet<Address>
  /** Wei; 0 ignores gas and the L1 fee. */
  gasPrice: bigint
  /** Wei per byte of calldata on L1, of the block; the engine sets it. */
  l1ByteFee?: bigint
  gasLimit: bigint
  /** True for branches that can fail alone. */
  apart: boolean
}
