import type { Quote, SwapTransaction, Trade } from '../domain/swap/quote.ts'
import type { RouteOptions } from '../domain/swap/routeOptions.ts'
import type { Address, Hex, Token } from '../domain/token/token.ts'

/** Client of a swap service of either version, or of direct swaps. */
export type SwapApi = {
  /** Other tokens need an approval. */
  permitKinds: readonly ('permit' | 'permit2')[]
  quote(trade: Trade, options?: RouteOptions, signal?: AbortSignal): Promise<Quote>
  swap(trade: Trade, options: SwapOptions): Promise<SwapTransaction>
  /** Router to approve tokens for. */
  spender(signal?: AbortSignal): Promise<Address>
  sources(): Promise<LiquiditySource[]>
  tokens(): Promise<Token[]>
}

export type LiquiditySource = { id: string; title: string }

/** Exactly one of `slippageBps` and `leastReturn`. */
export type SwapOptions = RouteOptions & {
  from: Address
  origin: Address
  /** Without selector: 7 words for EIP-2612, 8 for DAI, 12 for Permit2. */
  permit?: Hex
  receiver?: Address
  allowPartialFill?: boolean
  compatibility?: boolean
  disableEstimate?: boolean
  usePermit2?: boolean
  forceApprove?: boolean
  createAccessList?: boolean
} & ({ slippageBps: number; leastReturn?: never } | { leastReturn: bigint; slippageBps?: never })
