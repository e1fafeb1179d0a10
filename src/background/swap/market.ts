import { type MarketReturns, requireAcceptedLoss } from '../../domain/swap/market.ts'
import { partnerFee, type QuoteRequest } from '../../domain/swap/quote.ts'
import type { SwapIntent } from '../../domain/swap/swap.ts'
import type { Chain } from '../../evm/client.ts'

/** Returns the market return, without the partner fee, which the user chose. */
export async function readTradeMarket(
  chain: Pick<Chain, 'marketReturns'>,
  { trade: { sell, buy, amount }, options }: QuoteRequest,
): Promise<MarketReturns | undefined> {
  const sold = amount - partnerFee(amount, options?.feeBps ?? 0)
  const [market] = await chain.marketReturns([{ sell, buy, amount: sold }])
  return market
}

/** Throws `below-market` unless the minimum is near the market or the loss accepted. */
export async function checkMarket(
  chain: Pick<Chain, 'marketReturns'>,
  intent: Pick<SwapIntent, 'trade' | 'options' | 'floor' | 'acceptedLossBps'>,
): Promise<void> {
  const { trade, options, floor, acceptedLossBps } = intent
  const market = await readTradeMarket(chain, options ? { trade, options } : { trade })
  requireAcceptedLoss(floor, market, acceptedLossBps)
}
