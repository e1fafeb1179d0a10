import type { Network } from '../network/network.ts'
import { pegTags } from '../token/pegGroups.ts'
import { isNative, type Token } from '../token/token.ts'

/** The service's lists have no tag for it. */
const bitcoins = new Set(['WBTC', 'cbBTC', 'BTCB', 'tBTC'])

/**
 * Basis points: 10 within one peg, 50 for popular tokens, otherwise 100. Only the service's list and the
 * wallet classify tokens: none can call itself a stablecoin.
 */
export function autoSlippage(
  sell: Token | undefined,
  buy: Token | undefined,
  network: Network | undefined,
): number {
  const [sold, bought] = [toPeg(sell, network), toPeg(buy, network)]
  if (sold === undefined || bought === undefined) return 100
  return sold === bought ? 10 : 50
}

/** Undefined for unknown and fee-on-transfer tokens. */
function toPeg(token: Token | undefined, network: Network | undefined): string | undefined {
  if (token === undefined || token.taxed) return undefined
  const { address, symbol, listed } = token
  const tags = [...(listed ? token.tags : []), ...pegTags(address, network)]
  if (isNative(address)) return `PEG:${symbol.toUpperCase()}`
  if (tags.includes('wrapped')) return `PEG:${symbol.toUpperCase().replace(/^W/, '')}`
  // May be another currency.
  const peg = tags.find((tag) => tag.startsWith('PEG:'))
  if (peg !== undefined) return peg
  if (tags.includes('stablecoin')) return 'PEG:USD'
  return listed && bitcoins.has(symbol) ? 'PEG:BTC' : undefined
}
