import type { Trade } from '../../domain/swap/quote.ts'
import { type Address, nativeTokenAddress } from '../../domain/token/token.ts'
import type { FetchQuote } from '../quotes/rateLimitedQuotes.ts'

/** Converts `fee` wei to the bought token, by the trade's price or a quote. */
export async function feeInToken(
  price: FetchQuote,
  trade: Trade,
  returns: bigint,
  fee: bigint,
  wrapped: Address | undefined,
): Promise<bigint> {
  const { sell, buy, amount } = trade
  const isCoin = (token: Address) => token === nativeTokenAddress || token === wrapped
  if (isCoin(buy)) return fee
  if (isCoin(sell)) return (fee * returns) / amount
  return (await price({ trade: { ...trade, sell: nativeTokenAddress, amount: fee } })).returns
}
