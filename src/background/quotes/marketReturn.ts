import type { MarketRequest } from '../../domain/swap/market.ts'
import type { Chain } from '../../evm/client.ts'

/** Scaled so that amounts worth less than one base unit return 0, not undefined. */
const scale = 10n ** 18n

/** Returns a lookup of market returns; undefined without an independent price or RPC. */
export async function readMarket(
  chain: Pick<Chain, 'marketReturns'>,
  trades: MarketRequest[],
): Promise<(ask: MarketRequest, only?: 'oracle') => bigint | undefined> {
  const tradeKey = ({ sell, buy, amount }: MarketRequest) => [sell, buy, amount].join(' ')
  const asks = [...new Map(trades.map((ask) => [tradeKey(ask), ask])).values()]
  const scaled = asks.map((ask) => ({ ...ask, amount: ask.amount * scale }))
  const found = asks.length === 0 ? [] : await chain.marketReturns(scaled).catch(() => [])
  const returns = new Map(asks.map((ask, index) => [tradeKey(ask), found[index]]))
  return (ask, only) => {
    const known = returns.get(tradeKey(ask))
    return known === undefined || (only && known.source !== only) ? undefined : known.returns / scale
  }
}
