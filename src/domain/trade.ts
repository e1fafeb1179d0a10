import type { Address, Hex } from './token.ts'

/** What the user wants: `amount` base units of `sell` turned into `buy` on one chain. */
export type Trade = { chainId: number; sell: Address; buy: Address; amount: bigint }

/** What the service says a trade returns now, in base units of `buy`. `gas` is the route's estimate in gas units. */
export type Quote = {
  trade: Trade
  returns: bigint
  gas: bigint
  route: Route
  /** What that gas costs, in wei, by the user's own node; absent while the node has not said. */
  networkFee?: bigint
}

/** How the amount travels: one split for each token that is sold on the way, the first being the trade's own. */
export type Route = Split[]

/** The whole flow of `token` leaves over `hops`, whose shares sum to 100. */
export type Split = { token: Address; hops: Hop[] }

/** A share (percent) of the flow that turns into `buy`, over sources whose shares sum to the hop's. */
export type Hop = { buy: Address; share: number; sources: { name: string; share: number }[] }

/** A swap ready to sign, as the service built it. Nothing in it is trusted until `background/check.ts` has read it. */
export type SwapTransaction = {
  trade: Trade
  returns: bigint
  from: Address
  to: Address
  data: Hex
  value: bigint
  gas: bigint
  route: Route
  /** Both only when an access list was asked for (EIP-2930): the simulated gas, and the slots to declare. */
  gasUsed?: bigint | undefined
  accessList?: AccessSlots[] | undefined
}

/** Storage of one contract that a transaction will touch. */
export type AccessSlots = { address: Address; storageKeys: Hex[] }

/** 0.01 to 50 percent, two decimals. */
export const slippageLimits = { leastBps: 1, mostBps: 5_000 }

/** The least the user accepts: `returns` less the slippage, rounded down. */
export function leastReturn(returns: bigint, slippageBps: number): bigint {
  return (returns * BigInt(10_000 - slippageBps)) / 10_000n
}

/** The least return of which the slippage leaves `amount`. */
export function returnFor(amount: bigint, slippageBps: number): bigint {
  const left = BigInt(10_000 - slippageBps)
  return (amount * 10_000n + left - 1n) / left
}

/** True when two trades ask for the same thing. */
export function isSameTrade(one: Trade, other: Trade): boolean {
  return (
    one.chainId === other.chainId &&
    one.sell === other.sell &&
    one.buy === other.buy &&
    one.amount === other.amount
  )
}
