import type { Trade } from '../swap/quote.ts'
import type { Address } from '../token/token.ts'

/** Only `id`, `type`, `chainId` and `from` are fixed. */
export type SwapRequest = {
  /** From the page or generated: 1 to 128 characters. */
  id: string
  type: 'sell' | 'buy'
  token?: Address
  pairToken?: Address
  /** Base units of `token`. */
  amount?: bigint
  /** Upper limit, besides the user's own. */
  slippageBps?: number
  chainId: number
  from: Address
  /** Base units of the bought token (`requestedMinReturn`). */
  minReceived?: bigint
}

/**
 * Returns the page's minReturn while the trade is the page's; omitted fields match anything. `filled`: sell
 * amount that the form derived from a buy amount.
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
