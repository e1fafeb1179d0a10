import type { Quote, SwapTransaction, Trade } from '../domain/swap/quote.ts'
import type { RouteOptions } from '../domain/swap/routeOptions.ts'
import type { Address, Hex, Token } from '../domain/token/token.ts'

/** The swap service as the rest of the wallet sees it; nothing above can tell which interface version answered. */
export type SwapApi = {
  /** Whether `permit` and `usePermit2` are understood. Without, a token has to be approved first. */
  takesPermits: boolean
  quote(trade: Trade, options?: RouteOptions, signal?: AbortSignal): Promise<Quote>
  swap(trade: Trade, options: SwapOptions): Promise<SwapTransaction>
  /** The router that a token must be approved for. */
  spender(signal?: AbortSignal): Promise<Address>
  /** `amount` absent asks for an unlimited approval. */
  approval(token: Address, amount?: bigint): Promise<ApprovalTransaction>
  sources(): Promise<LiquiditySource[]>
  tokens(): Promise<Token[]>
}

export type ApprovalTransaction = { to: Address; data: Hex; value: bigint }

export type LiquiditySource = { id: string; title: string }

/** The parameters of `swap` beyond the trade. Exactly one of `slippageBps` and `leastReturn`. */
export type SwapOptions = RouteOptions & {
  from: Address
  origin: Address
  /** Its words without the selector: 7 of EIP-2612, 8 of DAI's own, 12 of Permit2's with `usePermit2`. */
  permit?: Hex
  receiver?: Address
  allowPartialFill?: boolean
  compatibility?: boolean
  disableEstimate?: boolean
  usePermit2?: boolean
  forceApprove?: boolean
  createAccessList?: boolean
} & ({ slippageBps: number; leastReturn?: never } | { leastReturn: bigint; slippageBps?: never })
