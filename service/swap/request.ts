import type { Hex } from 'viem'
import type { Address } from '../config.ts'

/** A trade request of any API version, in base units. */
export type TradeRequest = {
  sell: Address
  buy: Address
  /** Includes the partner fee. */
  amount: bigint
  /** Millionths of `amount`, deducted before the route. */
  feePpm: number
  /** Wei; default from the network. */
  gasPrice?: bigint
  complexityLevel: number
  parts: number
  mainRouteParts: number
  gasLimit: bigint
  /** Undefined is unlimited. */
  connectors?: { count: number; tokens?: Address[] }
  /** Undefined allows all. */
  sources?: string[]
  excludedSources?: string[]
  /** True if a failing branch returns its share; minReturn is then proportional. */
  allowPartialFill?: boolean
}

/** A swap request of any API version. */
export type SwapRequest = TradeRequest & {
  /** Caller of the router and payer. */
  from: Address
  /** Transaction sender; differs if `from` is a contract. */
  origin: Address
  receiver: Address
  referrer?: Address
  minReturnRule: MinReturnRule
  permit?: Hex
  /** True to pull through Permit2; `permit` is then Permit2's. */
  usePermit2: boolean
  allowPartialFill: boolean
  /** True to accept fee-on-transfer tokens. */
  compatibility: boolean
  disableEstimate: boolean
  forceApprove: boolean
  createAccessList: boolean
}

/** Slippage percentage in units of 1e-18, or a fixed amount. */
export type MinReturnRule = { slippage: bigint } | { minReturn: bigint }

/** Units per percent. */
export const percentUnit = 10n ** 18n

/** Returns `returns` less slippage, rounded down, or the fixed amount. */
export function resolveMinReturn(returns: bigint, rule: MinReturnRule): bigint {
  if ('minReturn' in rule) return rule.minReturn
  const hundred = 100n * percentUnit
  return (returns * (hundred - rule.slippage)) / hundred
}
