import type { Network } from '../network/network.ts'
import { pegTags } from '../token/pegGroups.ts'
import { isNative, type Token } from '../token/token.ts'

/** Bitcoin on other chains. The service's lists have no tag for it. */
const bitcoins = new Set(['WBTC', 'cbBTC', 'BTCB', 'tBTC'])

/**
 * What a swap of this pair may lose on the way unless the user says otherwise, in basis points: 10 for two tokens of one peg, 50 for
 * what everybody trades, 100 for anything else. Only the service's list and the wallet itself say what a token is: none can call itself
 * a stablecoin.
 */
export function autoSlippage(
  sell: Token | undefined,
  buy: Token | undefined,
  network: Network | undefined,
): number {
  const [sold, bought] = [pegOf(sell, network), pegOf(buy, network)]
  if (sold === undefined || bought === undefined) return 100
  return sold === bought ? 10 : 50
}

/** What a token's price follows; undefined where nobody says, and where transfers cost something. */
function pegOf(token: Token | undefined, network: Network | undefined): string | undefined {
  if (token === undefined || token.taxed) return undefined
  const { address, symbol, listed } = token
  const tags = [...(listed ? token.tags : []), ...pegTags(address, network)]
  // The coin of every chain, and WETH, WBNB…
  if (isNative(address)) return `PEG:${symbol.toUpperCase()}`
  if (tags.includes('wrapped')) return `PEG:${symbol.toUpperCase().replace(/^W/, '')}`
  // A stablecoin need not follow the dollar.
  const peg = tags.find((tag) => tag.startsWith('PEG:'))
  if (peg !== undefined) return peg
  if (tags.includes('stablecoin')) return 'PEG:USD'
  return listed && bitcoins.has(symbol) ? 'PEG:BTC' : undefined
}
