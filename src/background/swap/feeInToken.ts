import type { Trade } from '../../domain/swap/quote.ts'
import { type Address, nativeTokenAddress } from '../../domain/token/token.ts'

type FeeTerms = {
  trade: Trade
  returns: bigint
  floor: bigint
  /** Wei. */
  fee: bigint
  wrapped: Address | undefined
  /** Market values of the sold amount and of `floor`, in wei. */
  sold: bigint | undefined
  bought: bigint | undefined
}

/** Converts `fee` to the bought token by the trade's price, else the market's. Undefined without either. */
export function feeInToken(terms: FeeTerms): bigint | undefined {
  const { trade, returns, floor, fee, wrapped, sold, bought } = terms
  const isCoin = (token: Address) => token === nativeTokenAddress || token === wrapped
  if (isCoin(trade.buy)) return fee
  if (isCoin(trade.sell)) return (fee * returns) / trade.amount
  if (bought) return (fee * floor) / bought
  return sold ? (fee * returns) / sold : undefined
}
