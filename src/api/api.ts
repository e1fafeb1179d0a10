import type { Address, Hex, Token } from '../domain/token.ts'
import type { Quote, SwapTransaction, Trade } from '../domain/trade.ts'

/** The swap service as the rest of the wallet sees it; nothing above can tell which interface version answered. */
export type SwapApi = {
  quote(trade: Trade, options?: QuoteOptions, signal?: AbortSignal): Promise<Quote>
  swap(trade: Trade, options: SwapOptions, signal?: AbortSignal): Promise<SwapTransaction>
  /** The router that a token must be approved for. */
  spender(signal?: AbortSignal): Promise<Address>
  /** `amount` absent asks for an unlimited approval. */
  approval(token: Address, amount?: bigint, signal?: AbortSignal): Promise<ApprovalTransaction>
  allowance(token: Address, owner: Address, signal?: AbortSignal): Promise<bigint>
  sources(signal?: AbortSignal): Promise<LiquiditySource[]>
  tokens(signal?: AbortSignal): Promise<Token[]>
}

export type ApprovalTransaction = { to: Address; data: Hex; value: bigint; gasPrice: bigint }

export type LiquiditySource = { id: string; title: string; image: string; colorImage: string }

/** The parameters of `quote` beyond the trade, with the interface's limits (service-interface, Limits). */
export type QuoteOptions = {
  protocols?: string[]
  excludedProtocols?: string[]
  /** Partner fee in percent, 0 to 3. The same for quote and swap. */
  fee?: number
  /** Wei. */
  gasPrice?: bigint
  /** 0 to 2. */
  complexityLevel?: number
  /** 0 to 50. */
  parts?: number
  /** 0 to 10. */
  mainRouteParts?: number
  /** 100,000 to 11,500,000. */
  gasLimit?: number
  /** A count of 0 to 5, or at most five tokens that replace the service's own. */
  connectorTokens?: number | Address[]
}

/** The parameters of `swap` beyond the trade. Exactly one of `slippageBps` and `leastReturn`. */
export type SwapOptions = QuoteOptions & {
  from: Address
  origin: Address
  permit?: Hex
  receiver?: Address
  referrer?: Address
  allowPartialFill?: boolean
  compatibility?: boolean
  disableEstimate?: boolean
  usePatching?: boolean
  usePermit2?: boolean
  forceApprove?: boolean
  createAccessList?: boolean
} & ({ slippageBps: number; leastReturn?: never } | { leastReturn: bigint; slippageBps?: never })
