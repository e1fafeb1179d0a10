import type { Address } from './token.ts'

/** A swap that a page would like the user to make. Everything but `id`, `type`, `chainId` and `from` is a suggestion. */
export type SwapRequest = {
  /** The page's own name for it, or one made by us: 1 to 128 characters. */
  id: string
  /** Whether `amount` of `token` is sold or bought. */
  type: 'sell' | 'buy'
  token?: Address
  pairToken?: Address
  /** Base units of `token`. */
  amount?: bigint
  /** Never more than this, and never more than the user's own. */
  slippageBps?: number
  chainId: number
  from: Address
  /** Base units of the bought token: a swap that promises less is not signed while the page's pair and amount stand. */
  minReceived?: bigint
}
