import type { Hex } from 'viem'
import type { Address } from '../config.ts'

/** A trade as it is asked for, whatever the words of the interface's version. Amounts in base units. */
export type TradeRequest = {
  sell: Address
  buy: Address
  /** The partner fee included. */
  amount: bigint
  /** Partner fee in millionths of `amount`, taken before the route. */
  feePpm: number
  /** Wei; absent means the network's. */
  gasPrice?: bigint
  complexityLevel: number
  parts: number
  mainRouteParts: number
  gasLimit: bigint
  /** How many connector tokens the whole route may use, and which. Absent means no bound. */
  connectors?: { count: number; tokens?: Address[] }
  /** Ids of the sources to use; absent means all. */
  sources?: string[]
  excludedSources?: string[]
  /** A branch of the route that fails gives its share back, and the minimum holds in proportion. */
  allowPartialFill?: boolean
}

/** A swap as it is asked for, whatever the words of the interface's version. */
export type SwapRequest = TradeRequest & {
  /** Who calls the router and pays. */
  from: Address
  /** Who begins the transaction: `from` itself, unless that is a contract. */
  origin: Address
  receiver: Address
  referrer?: Address
  floor: MinReturn
  permit?: Hex
  /** The router pulls through Permit2, to which the permit then belongs. */
  usePermit2: boolean
  allowPartialFill: boolean
  /** Tokens that charge on transfer are swapped too, for what arrives. */
  compatibility: boolean
  disableEstimate: boolean
  forceApprove: boolean
  createAccessList: boolean
}

/** The least that is accepted: a percent, in units of 1e-18, below what is returned, or a fixed amount. */
export type MinReturn = { slippage: bigint } | { minReturn: bigint }

/** How finely percents are read. */
export const percentUnit = 10n ** 18n

/** `returns` less the slippage, rounded down; or the fixed amount. */
export function computeMinReturn(floor: MinReturn, returns: bigint): bigint {
  if ('minReturn' in floor) return floor.minReturn
  const hundred = 100n * percentUnit
  return (returns * (hundred - floor.slippage)) / hundred
}
