import type { Trade } from '../swap/quote.ts'
import type { Address } from '../token/token.ts'

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
  /** Base units of the bought token: see `requestedMinReturn`. */
  minReceived?: bigint
}

/**
 * The least that `trade` has to promise because the page asked for it: while the trade is the page's own, as far as the page put it. A
 * field it left out stands for anything. `filled` is what the form was filled with for an amount to buy: what is sold for that is no
 * word of the page, and without it the user chose it.
 */
export function requestedMinReturn(request: SwapRequest, trade: Trade, filled?: bigint): bigint | undefined {
  const { type, token, pairToken, amount, minReceived } = request
  if (type === 'sell') return stands(token, pairToken, amount, trade) ? minReceived : undefined
  return filled !== undefined && stands(pairToken, token, filled, trade) ? amount : undefined
}

function stands(
  sell: Address | undefined,
  buy: Address | undefined,
  amount: bigint | undefined,
  trade: Trade,
): boolean {
  return (
    (sell ?? trade.sell) === trade.sell &&
    (buy ?? trade.buy) === trade.buy &&
    (amount ?? trade.amount) === trade.amount
  )
}
