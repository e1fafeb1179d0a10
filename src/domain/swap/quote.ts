import type { Address, Hex } from '../token/token.ts'
import type { RouteOptions } from './routeOptions.ts'

export type Trade = { chainId: number; sell: Address; buy: Address; amount: bigint }

/** An amount to sell, or a minimum to return. */
export type QuoteIntent = Omit<Trade, 'amount'> & { options?: RouteOptions } & (
    | { amount: bigint }
    | { returns: bigint }
  )

/** `isComparison`: asked beside the quote in use, and only where no quote has to wait for it. */
export type QuoteRequest = { trade: Trade; options?: RouteOptions; isComparison?: true }

/** `returns` in base units of `buy`, `gas` in gas units. */
export type Quote = {
  trade: Trade
  returns: bigint
  gas: bigint
  route: Route
  /** In wei, by the user's RPC; absent until known. */
  networkFee?: bigint
  mostNetworkFee?: bigint
  /** The best route returns at most this many basis points more, as the service proves; 0 to 10,000. */
  gapBps?: number
}

/** One split per sold token, the trade's own first. */
export type Route = Split[]

/** Shares of `hops` sum to 100. */
export type Split = { token: Address; hops: Hop[] }

/**
 * `share` in percent; `sources` sum to it. API 3.0 omits the weights of several main routes: dependent shares
 * are undefined.
 */
export type Hop = {
  buy: Address
  share: number | undefined
  sources: { name: string; share: number | undefined }[]
}

/** Untrusted until verified by `background/swap/verifyCalldata.ts`. */
export type SwapTransaction = {
  trade: Trade
  returns: bigint
  from: Address
  to: Address
  data: Hex
  value: bigint
  gas: bigint
  route: Route
  /** If requested (EIP-2930). */
  accessList?: AccessSlots[] | undefined
}

export type AccessSlots = { address: Address; storageKeys: Hex[] }

/** 0.01 to 50 percent, two decimals. */
export const slippageLimits = { leastBps: 1, mostBps: 5_000 }

/** Rounds down. */
export function computeMinReturn(returns: bigint, slippageBps: number): bigint {
  return (returns * BigInt(10_000 - slippageBps)) / 10_000n
}

/** Returns the smallest return that leaves `amount`. */
export function computeRequiredReturn(amount: bigint, slippageBps: number): bigint {
  const left = BigInt(10_000 - slippageBps)
  return (amount * 10_000n + left - 1n) / left
}

export function partnerFee(amount: bigint, feeBps: number): bigint {
  return (amount * BigInt(feeBps)) / 10_000n
}

/** Returns a key independent of the order of options. */
export function quoteKey({ chainId, sell, buy, options = {}, ...wanted }: QuoteIntent): string {
  const amount = 'amount' in wanted ? `sell ${wanted.amount}` : `buy ${wanted.returns}`
  const set = Object.entries(options)
    .map(([name, value]) => [name, [value].flat().sort().join()])
    .filter(([, text]) => text !== '')
    .map((option) => option.join('='))
  return [chainId, sell, buy, amount, ...set.sort()].join(' ')
}
