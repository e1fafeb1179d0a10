import type { Address, Hex } from '../token/token.ts'
import type { RouteOptions } from './routeOptions.ts'

/** What the user wants: `amount` base units of `sell` turned into `buy` on one chain. */
export type Trade = { chainId: number; sell: Address; buy: Address; amount: bigint }

/**
 * What the form asks a price for: an amount to sell, or the least that a trade has to return. `options` narrow the routes.
 */
export type QuoteIntent = Omit<Trade, 'amount'> & { options?: RouteOptions } & (
    | { amount: bigint }
    | { returns: bigint }
  )

/** A trade and how its route may be found. */
export type QuoteRequest = { trade: Trade; options?: RouteOptions }

/** What the service says a trade returns now, in base units of `buy`. `gas` is the route's estimate in gas units. */
export type Quote = {
  trade: Trade
  returns: bigint
  gas: bigint
  route: Route
  /** What that gas costs now, and at the most, in wei, by the user's own node; absent while the node has not said. */
  networkFee?: bigint
  mostNetworkFee?: bigint
}

/** How the amount travels: one split for each token that is sold on the way, the first being the trade's own. */
export type Route = Split[]

/** The whole flow of `token` leaves over `hops`, whose shares sum to 100. */
export type Split = { token: Address; hops: Hop[] }

/**
 * A share (percent) of the flow that turns into `buy`, over sources whose shares sum to the hop's. Interface 3.0 does not say how
 * much goes along each of several main routes: shares that follow from that are undefined.
 */
export type Hop = {
  buy: Address
  share: number | undefined
  sources: { name: string; share: number | undefined }[]
}

/** A swap ready to sign, as the service built it. Nothing in it is trusted until `background/swap/verifyCalldata.ts` has read it. */
export type SwapTransaction = {
  trade: Trade
  returns: bigint
  from: Address
  to: Address
  data: Hex
  value: bigint
  gas: bigint
  route: Route
  /** The slots to declare, when such a list was asked for (EIP-2930). */
  accessList?: AccessSlots[] | undefined
}

/** Storage of one contract that a transaction will touch. */
export type AccessSlots = { address: Address; storageKeys: Hex[] }

/** 0.01 to 50 percent, two decimals. */
export const slippageLimits = { leastBps: 1, mostBps: 5_000 }

/** The least the user accepts: `returns` less the slippage, rounded down. */
export function computeMinReturn(returns: bigint, slippageBps: number): bigint {
  return (returns * BigInt(10_000 - slippageBps)) / 10_000n
}

/** The least return of which the slippage leaves `amount`. */
export function computeRequiredReturn(amount: bigint, slippageBps: number): bigint {
  const left = BigInt(10_000 - slippageBps)
  return (amount * 10_000n + left - 1n) / left
}

/** What a partner takes of `amount` that is sold. */
export function partnerFee(amount: bigint, feeBps: number): bigint {
  return (amount * BigInt(feeBps)) / 10_000n
}

/** The same text for wants that are the same, however their options were put together. */
export function quoteKey({ chainId, sell, buy, options = {}, ...wanted }: QuoteIntent): string {
  const amount = 'amount' in wanted ? `sell ${wanted.amount}` : `buy ${wanted.returns}`
  const set = Object.entries(options)
    .map(([name, value]) => [name, [value].flat().sort().join()])
    .filter(([, text]) => text !== '')
    .map((option) => option.join('='))
  return [chainId, sell, buy, amount, ...set.sort()].join(' ')
}
